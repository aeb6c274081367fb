// SPDX-License-Identifier: Apache-2.0
// The whole way from files to a prepared dataset.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/parallel.h"
#include "data/layout.h"
#include "data/split.h"

namespace divns {

struct PrepareOptions {
  LayoutRequest layout;
  std::optional<double> min_rating;
  std::string since;
  std::string until;
  int k_core = 0;
  int user_core = 0;
  int item_core = 0;
  SplitOptions split;
  uint64_t seed = 1;
  std::string valid_file;
  std::string test_file;
  std::string item_names;
  std::string item_name_column;
  uint64_t memory_limit_mb = 0;
  bool overwrite = false;

  void declare(Options& options);
};

// What a step left, and what it took away.
struct PrepareStep {
  std::string what;
  uint64_t pairs = 0;
  uint64_t users = 0;
  uint64_t items = 0;
  uint64_t removed = 0;  // pairs
};

struct PrepareReport {
  std::vector<PrepareStep> steps;
  std::string format;  // how the first file was understood, in words
  uint64_t train = 0, valid = 0, test = 0;
  uint64_t leaks = 0;  // pairs that stand in two parts
  std::vector<std::string> leak_examples;
  size_t titles = 0;
  std::string hash;
  std::string statistics_json;
};

// Reads the inputs (all are training data if valid_file or test_file is given), filters, splits and
// writes `output`, whole or not at all.
PrepareReport prepare_dataset(const std::vector<std::string>& inputs,
                              const std::filesystem::path& output, const PrepareOptions& options,
                              const Executor& executor);

}  // namespace divns
