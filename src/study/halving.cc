// SPDX-License-Identifier: Apache-2.0
#include "study/halving.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace divns {

size_t HalvingPlan::trials_at(size_t rung) const {
  const double left = static_cast<double>(trials) * std::pow(keep, static_cast<double>(rung));
  return std::max<size_t>(1, static_cast<size_t>(std::llround(left)));
}

uint64_t HalvingPlan::epochs() const {
  uint64_t sum = 0;
  uint32_t before = 0;
  for (size_t r = 0; r < rungs.size(); ++r) {
    sum += trials_at(r) * (rungs[r] - before);
    before = rungs[r];
  }
  return sum;
}

void check_plan(const HalvingPlan& plan, uint32_t first_validation) {
  if (plan.rungs.empty()) fail("rungs is empty, but epochs are expected, for example 11,31,91.");
  if (std::adjacent_find(plan.rungs.begin(), plan.rungs.end(), std::greater_equal<>()) !=
      plan.rungs.end())
    fail("rungs is {}, but each is expected to be larger than the one before.",
         fmt::join(plan.rungs, ","));
  if (plan.rungs.front() < first_validation)
    fail("the first rung is after {} epochs, but the first validation only after {}.",
         plan.rungs.front(), first_validation);
}

std::vector<size_t> promote(std::span<const std::optional<double>> values, size_t count) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // An empty optional is less than any value.
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return values[a] > values[b]; });
  order.resize(std::min(count, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace divns
