// SPDX-License-Identifier: Apache-2.0
// One function a file of this folder; declare_verbs calls them in the order in which --help lists
// the verbs.
#pragma once

#include "command.h"

namespace divns::app {

void declare_verbs(Command root);

void add_demo_verb(Command root);

// Under `divns data`.
void add_data_prepare_verb(Command data);
void add_data_stats_verb(Command data);
void add_data_synth_verb(Command data);

void add_train_verb(Command root);
void add_evaluate_verb(Command root);
void add_compare_verb(Command root);
void add_tune_verb(Command root);
void add_ablate_verb(Command root);
void add_reproduce_verb(Command root);
void add_report_verb(Command root);
void add_recommend_verb(Command root);
void add_similar_verb(Command root);
void add_serve_verb(Command root);
void add_export_verb(Command root);
void add_list_verb(Command root);
void add_dpp_verb(Command root);

}  // namespace divns::app
