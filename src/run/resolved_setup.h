// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "divns/options.h"
#include "divns/settings.h"
#include "train/setup.h"

namespace divns {

// The options table of a training with these settings applied. Throws Error for a name or value
// that the table refuses.
struct ResolvedSetup {
  explicit ResolvedSetup(const Settings& settings) {
    setup.declare(options);
    for (const Setting& setting : settings)
      options.set(setting.name, setting.value, OptionSource::kSet);
    setup.resolve(options);
  }
  ResolvedSetup(const ResolvedSetup&) = delete;
  ResolvedSetup& operator=(const ResolvedSetup&) = delete;

  // Call before the parts are taken out of the setup.
  std::string config_text() const {
    return TrainingSetup::config_text(options, setup.config()) + setup.contents_text();
  }

  TrainingSetup setup;
  Options options;  // refers to the setup
};

}  // namespace divns
