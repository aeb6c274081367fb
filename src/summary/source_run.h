// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "divns/train.h"
#include "run/run_events.h"

namespace divns {

using SummaryValues = std::vector<std::pair<std::string, double>>;

// Result for one group of users or items (a quarter), by metric or cutoff.
struct SourceGroup {
  std::string range;  // "6-14": the training pairs of its members
  SummaryValues values;
};

// A run folder as a report reads it. The run may still be training: then it has no metrics yet.
struct SourceRun {
  std::filesystem::path folder;
  std::string model;
  std::string sampler;  // empty for a model that is fitted without one
  std::string loss;
  uint64_t seed = 0;
  std::string config;  // TOML
  std::string dataset_hash;
  std::string data_folder;
  std::string machine;
  std::string version;

  bool finished = false;
  uint32_t epochs = 0;
  std::string valid_name = "recall@20";
  std::optional<double> valid;  // the best so far
  uint32_t best_epoch = 0;
  PhaseSeconds seconds;
  std::vector<RunEvent> events;

  SummaryValues test;  // means over users; empty if the test part was not opened
  std::vector<SourceGroup> by_activity;
  std::vector<SourceGroup> by_popularity;  // "recall@20": share of the relevant items found

  // The resolved value of an option, or empty.
  std::string option(const std::string& name) const;
};

// True if the text can be the name of a run's folder inside another one, and leads nowhere else.
bool is_run_name(const std::string& text);
// True if the folder has a run.json.
bool is_run_folder(const std::filesystem::path& folder);
// Throws Error for a folder that holds no run, and for files that are damaged.
SourceRun read_source_run(const std::filesystem::path& folder);

}  // namespace divns
