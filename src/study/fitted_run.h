// SPDX-License-Identifier: Apache-2.0
// A run of a model that is fitted to all pairs at once, not trained by sampling: config.toml,
// run.json and metrics.json in its folder, and no model file. It has no epochs to resume from; what
// was interrupted begins again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "divns/dataset.h"
#include "study/run_spec.h"
#include "train/setup.h"

namespace divns {

struct FittedRunRequest {
  std::filesystem::path folder;
  const PlannedRun& run;
  bool final = false;                  // measure on the test part as well
  std::vector<uint32_t> cutoffs = {};  // of that
};

// Takes the model out of the setup. Validates by Recall@20 where the dataset has a validation part.
void fit_on(const Dataset& data, TrainingSetup& setup, const FittedRunRequest& request,
            const Executor& executor);

}  // namespace divns
