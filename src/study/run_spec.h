// SPDX-License-Identifier: Apache-2.0
// Specification of one run of a study: settings of the options table of TrainingSetup, and the name
// derived from them. Two runs with the same resolved settings on the same data are the same run, in
// any study.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "divns/settings.h"

namespace divns {

struct RunSpec {
  std::string model = "mf";
  std::string sampler = "rns";  // empty for a model that is fitted without a sampler
  uint64_t seed = 1;
  Settings settings = {};  // all other settings that differ from the defaults

  // The settings of the training, with model, sampler and seed.
  Settings all_settings() const;
};

// A specification whose settings have been checked and resolved.
struct PlannedRun {
  RunSpec spec;
  std::string config;  // the resolved options that affect this run, as TOML
  std::string id;      // 32 hexadecimal digits: hash of format, dataset and config
};

// Throws Error for names, values and combinations that training would reject, so that a study fails
// before its first run.
PlannedRun plan_run(const RunSpec& spec, std::string_view dataset_hash);

}  // namespace divns
