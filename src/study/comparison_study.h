// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "study/comparison.h"
#include "study/runner.h"

namespace divns {

struct ComparisonStudy {
  std::string verb;
  std::string title;    // of the tables
  std::string command;  // that repeats it
  std::filesystem::path out;
  std::string runs = {};  // folder of runs to share with other studies; empty: inside `out`
  ComparisonRequest request;
  std::vector<std::string> notes = {};
  double checkpoint_seconds = 30;
};

// The whole way: plans every run, refuses what cannot be, executes what is missing, writes the
// files of the study. Nothing if it was stopped; the same call goes on.
std::optional<Comparison> run_comparison(const Dataset& data, ComparisonStudy& study,
                                         const RunnerOptions& runner, const StudyCallbacks& hooks);

}  // namespace divns
