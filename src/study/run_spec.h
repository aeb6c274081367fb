// SPDX-License-Identifier: Apache-2.0
// What one run of a study is: settings over the options table of TrainingSetup, and the name that
// follows from them. Two runs with the same resolved settings on the same data are the same run,
// whichever study asks for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace divns {

// One option and its value as text, as `--set name=value` takes them.
struct Setting {
  std::string name;
  std::string value;
  bool operator==(const Setting&) const = default;
};
using Settings = std::vector<Setting>;  // where a name occurs twice, the later one counts

// "divns.lambda=0.5"
Setting parse_setting(std::string_view name_equals_value);
std::string to_string(const Setting& setting);

struct RunSpec {
  std::string model = "mf";
  std::string sampler = "rns";  // empty for a model that is fitted, not trained by sampling
  uint64_t seed = 1;
  Settings settings = {};  // everything else that is not at its default
};

// A spec whose settings have been checked and written out in full.
struct PlannedRun {
  RunSpec spec;
  std::string config;  // the resolved options that matter to this run, as TOML
  std::string id;      // 32 hexadecimal digits: hash of format, dataset and config
};

// Throws Error for names, values and combinations that a training would refuse, so that a study
// fails before its first run and not in the middle of the night.
PlannedRun plan_run(const RunSpec& spec, std::string_view dataset_hash);

}  // namespace divns
