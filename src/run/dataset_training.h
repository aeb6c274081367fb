// SPDX-License-Identifier: Apache-2.0
// Trainings on a prepared dataset, validated by the option valid_metric on its validation part.
// They look at the truth of synthetic data where there is one, for the reports alone, and never
// open the test part.
#pragma once

#include "divns/dataset.h"
#include "divns/parallel.h"
#include "models/fitted_model.h"
#include "run/run.h"
#include "train/setup.h"

namespace divns {

// Whatever the setup holds: takes model and sampler out of it, or the model that is fitted. Without
// a validation part a training runs through all epochs.
RunResult train_on(const Dataset& data, TrainingSetup& setup, const RunRequest& request,
                   const Executor& executor, const TrainCallbacks& hooks);

// A model that is fitted, which the caller keeps.
RunResult fit_on(const Dataset& data, FittedModel& model, const RunRequest& request,
                 const Executor& executor, const TrainCallbacks& hooks);

}  // namespace divns
