// SPDX-License-Identifier: Apache-2.0
// Successive halving: all trials train to the first rung, the best share of them to the second, and
// so on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace divns {

struct HalvingPlan {
  size_t trials = 27;
  std::vector<uint32_t> rungs = {11, 31, 91};  // epochs, ascending
  double keep = 1.0 / 3;                       // share that goes on to the next rung

  // Trials that take part in rung r: trials * keep^r, rounded, at least 1.
  size_t trials_at(size_t rung) const;
  // Epochs that this many trials may train in all.
  uint64_t epochs() const;
};

// Throws Error where rungs do not ascend or come before the first validation.
void check_plan(const HalvingPlan& plan, uint32_t first_validation);

// Which `count` of these go on: the highest values, ties to the lower place. Trials without a value
// come last. In ascending order of place.
std::vector<size_t> promote(std::span<const std::optional<double>> values, size_t count);

}  // namespace divns
