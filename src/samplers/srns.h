// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "divns/sampler.h"

namespace divns {

// SRNS: every user has a memory of S1 items. With P(k) = sigmoid(s(u, k) - s(u, i)), the negative
// of a row is the item of the memory with the largest
//   P(k) + alpha min(1, epoch / warmup) std(P(k)),
// where the deviation is over the vectors at the ends of the last epochs. After the choice, the
// memory of each user of the batch is renewed: S2 uniform draws from I_u- join it, and S1 items of
// the union are drawn without replacement with probability proportional to exp(s(u, k) / tau).
std::unique_ptr<Sampler> make_srns();

// Standard deviation over epochs of sigmoid(candidate - positive), both as scores of each epoch.
double srns_deviation(std::span<const float> candidate, std::span<const float> positive);

}  // namespace divns
