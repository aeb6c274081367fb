// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/model.h"
#include "run/run.h"
#include "train/initial_rows.h"

namespace divns {

// The rows of an earlier model that a training on these data begins with, matched by original id.
// Throws Error for a model that such a training cannot continue. The result shows the model.
InitialRows rows_of_earlier(const TrainedModel& earlier, const RunData& data,
                            const TrainConfig& config);

}  // namespace divns
