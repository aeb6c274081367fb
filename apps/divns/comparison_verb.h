// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "divns/study_verb.h"
#include "study/comparison_study.h"

namespace divns::app {

// Options of the verbs that end with a table of rows x metrics.
struct ComparisonOptions {
  int seeds = 5;
  std::string reference;
  std::vector<std::string> metrics = {"recall@10", "ndcg@10", "recall@20", "ndcg@20"};
  std::vector<int> topk = {10, 20, 50};
  int resamples = 2000;

  // Without --reference where the rows know theirs.
  void declare(Options& options, bool has_reference = true);
  ComparisonRequest request(std::vector<StudyRow> rows, uint64_t first_seed) const;
};

// Runs the study with a progress line and a clean end on Ctrl-C, and prints what came of it.
void run_and_report(const StudyVerb& verb, const Dataset& data, ComparisonStudy& study);

}  // namespace divns::app
