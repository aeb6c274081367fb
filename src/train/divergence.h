// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "models/model.h"
#include "train/config.h"

namespace divns {

// Throws Error: `what` (with its verb, as in "the loss of step 3 of epoch 0 is") is not finite.
[[noreturn]] void fail_diverged(std::string_view what, const TrainConfig& config);

// The loss of a step is known before its update, so the last update of an epoch may have diverged
// unnoticed.
void require_finite_parameters(const Model& model, const TrainConfig& config, uint32_t epoch);

}  // namespace divns
