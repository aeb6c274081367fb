// SPDX-License-Identifier: Apache-2.0
// What the studies derive from their options.
#pragma once

#include <string>

#include "divns/study.h"
#include "study/halving.h"
#include "study/runner.h"

namespace divns {

// Throws Error if the folder is missing or the paper's dataset is unknown.
void check_study(const StudyOptions& options);

// The settings that all runs of this model and sampler share: the paper's, then the caller's.
Settings base_settings(const StudyOptions& options, const std::string& model,
                       const std::string& sampler);

inline RunnerOptions runner_options(const StudyOptions& options) {
  return {options.jobs, options.threads};
}

HalvingPlan halving_plan(const TuneOptions& options);

}  // namespace divns
