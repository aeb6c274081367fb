// SPDX-License-Identifier: Apache-2.0
// A fit as the folder of a run, as run/run.h has it for trainings: config.toml, run.json,
// metrics.json and model.safetensors. A fit is short: one that was killed starts again.
#pragma once

#include <functional>

#include "models/fitted_model.h"
#include "run/run.h"

namespace divns {

// Where the model is not kept (RunRequest), metrics.json says that the run is done. `validate` may
// be empty. After a run that was finished before (result.resumed) the model is not fitted. The
// seconds of solving are those of the optimiser.
RunResult run_fitting(const RunRequest& request, const RunData& data, FittedModel& model,
                      std::function<double(const Scorer&)> validate, const Executor& executor,
                      const TrainCallbacks& hooks);

}  // namespace divns
