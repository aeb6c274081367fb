// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parallel.h"
#include "divns/dataset.h"
#include "train/run.h"
#include "train/setup.h"

namespace divns {

// A training on a prepared dataset, validated by Recall@20 on its validation part (without one, it
// runs through all epochs). Looks at the truth of synthetic data where there is one, for the
// reports alone. Never opens the test part. Takes model and sampler out of the setup.
RunResult train_on(const Dataset& data, TrainingSetup& setup, const RunRequest& request,
                   const Executor& executor, const RunHooks& hooks);

}  // namespace divns
