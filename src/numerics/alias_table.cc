// SPDX-License-Identifier: Apache-2.0
#include "numerics/alias_table.h"

#include <cmath>
#include <numeric>

#include "base/check.h"

namespace divns {

AliasTable::AliasTable(std::span<const double> weights) : cells_(weights.size()) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  DIVNS_ASSERT(!weights.empty() && weights.size() <= UINT32_MAX);
  DIVNS_ASSERT(sum > 0 && std::isfinite(sum));

  // Heights relative to the mean: a high cell fills up a low one.
  const double scale = static_cast<double>(weights.size()) / sum;
  std::vector<double> height(weights.size());
  std::vector<uint32_t> low;
  std::vector<uint32_t> high;
  for (uint32_t k = 0; k < height.size(); ++k) {
    height[k] = weights[k] * scale;
    (height[k] < 1 ? low : high).push_back(k);
  }
  while (!low.empty() && !high.empty()) {
    const uint32_t small = low.back();
    const uint32_t large = high.back();
    low.pop_back();
    cells_[small] = {static_cast<uint64_t>(height[small] * 0x1p64), large};
    height[large] -= 1 - height[small];
    if (height[large] < 1) {
      high.pop_back();
      low.push_back(large);
    }
  }
  // The remaining cells are full up to rounding.
  for (const uint32_t k : low) cells_[k] = {UINT64_MAX, k};
  for (const uint32_t k : high) cells_[k] = {UINT64_MAX, k};
}

}  // namespace divns
