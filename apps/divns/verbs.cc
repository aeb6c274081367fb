// SPDX-License-Identifier: Apache-2.0
#include "verbs.h"

namespace divns::app {

void declare_verbs(Command root) {
  add_demo_verb(root);
  Command data = root.add_verb("data", "prepare, inspect and make datasets");
  add_data_prepare_verb(data);
  add_data_stats_verb(data);
  add_data_synth_verb(data);
  add_train_verb(root);
  add_evaluate_verb(root);
  add_compare_verb(root);
  add_tune_verb(root);
  add_ablate_verb(root);
  add_reproduce_verb(root);
  add_report_verb(root);
  add_recommend_verb(root);
  add_similar_verb(root);
  add_serve_verb(root);
  add_export_verb(root);
  add_list_verb(root);
  add_dpp_verb(root);
}

}  // namespace divns::app
