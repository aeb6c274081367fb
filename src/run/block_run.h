// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "blocks/ranked_trainer.h"
#include "run/run.h"

namespace divns {

// A training over blocks, on all ranks of the request. Only rank 0 writes the folder and calls the
// hooks; the result of the others is empty.
RunResult run_blocks(const RunRequest& request, const RunData& data,
                     std::function<TrainerParts()> make_parts, ValidateUsers validate,
                     const Executor& executor, const TrainCallbacks& hooks);

}  // namespace divns
