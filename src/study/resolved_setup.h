// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/options.h"
#include "study/run_spec.h"
#include "train/setup.h"

namespace divns {

// The options table of a training with a spec's settings in it. Throws Error for what the table
// does not know or does not accept.
struct ResolvedSetup {
  explicit ResolvedSetup(const RunSpec& spec) {
    setup.declare(options);
    const auto set = [&](const std::string& name, const std::string& value) {
      options.set(name, value, OptionSource::kSet);
    };
    for (const Setting& setting : spec.settings) set(setting.name, setting.value);
    set("model", spec.model);
    if (!spec.sampler.empty()) set("sampler", spec.sampler);
    set("seed", std::to_string(spec.seed));
    setup.resolve(options);
  }
  ResolvedSetup(const ResolvedSetup&) = delete;
  ResolvedSetup& operator=(const ResolvedSetup&) = delete;

  std::string config_text() const { return TrainingSetup::config_text(options, setup.config()); }

  TrainingSetup setup;
  Options options;  // refers to the setup
};

}  // namespace divns
