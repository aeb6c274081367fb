// SPDX-License-Identifier: Apache-2.0
// Successive halving: all trials train to the first rung, the best share of them continues to the
// second, and so on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace divns {

struct HalvingPlan {
  size_t trials = 27;
  std::vector<uint32_t> rungs = {11, 31, 91};  // epochs, ascending
  double keep = 1.0 / 3;  // share of the trials that continues to the next rung

  // Number of trials in rung r: trials * keep^r, rounded, at least 1.
  size_t trials_at(size_t rung) const;
  // Total number of epochs for this many trials.
  uint64_t epochs() const;
};

// Throws Error if rungs do not ascend or come before the first validation.
void check_plan(const HalvingPlan& plan, uint32_t first_validation);

// The `count` trials that continue: the highest values, ties to the lower index. Trials without a
// value come last. In ascending order of the index.
std::vector<size_t> promote(std::span<const std::optional<double>> values, size_t count);

}  // namespace divns
