// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace divns {

enum class RateDecay { kConstant, kLinear, kCosine };

// The learning rate of a step as a factor of the option `learning_rate`: it rises linearly over the
// first `warmup_steps`, then stays, or falls towards 0, which it would reach one step after
// `total_steps`.
struct RateSchedule {
  RateDecay decay = RateDecay::kConstant;
  uint64_t warmup_steps = 0;
  uint64_t total_steps = 0;

  // Of step 1, 2, ...
  double factor(uint64_t step) const {
    if (step <= warmup_steps)
      return static_cast<double>(step) / static_cast<double>(warmup_steps + 1);
    if (decay == RateDecay::kConstant || step > total_steps) return 1;
    const double done = static_cast<double>(step - warmup_steps) /
                        static_cast<double>(total_steps - warmup_steps + 1);
    if (decay == RateDecay::kLinear) return 1 - done;
    return (1 + std::cos(std::numbers::pi * done)) / 2;
  }
};

}  // namespace divns
