// SPDX-License-Identifier: Apache-2.0
#include "eval/groups.h"

#include <algorithm>
#include <numeric>

namespace divns {

std::vector<uint8_t> quarters(std::span<const uint32_t> counts, bool weigh_by_count) {
  std::vector<uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return counts[a] != counts[b] ? counts[a] < counts[b] : a < b;
  });
  const auto weight = [&](uint32_t i) {
    return weigh_by_count ? uint64_t{counts[i]} : uint64_t{1};
  };
  uint64_t total = 0;
  for (const uint32_t i : order) total += weight(i);

  std::vector<uint8_t> groups(counts.size(), 0);
  uint64_t below = 0;  // weight of all elements with a smaller count
  uint64_t seen = 0;
  for (size_t n = 0; n < order.size(); ++n) {
    if (n > 0 && counts[order[n]] != counts[order[n - 1]]) below = seen;
    if (total > 0) groups[order[n]] = static_cast<uint8_t>(kQuarters * below / total);
    seen += weight(order[n]);
  }
  return groups;
}

std::array<CountRange, kQuarters> quarter_ranges(std::span<const uint32_t> counts,
                                                 std::span<const uint8_t> groups) {
  std::array<CountRange, kQuarters> ranges;
  for (size_t i = 0; i < counts.size(); ++i) {
    CountRange& range = ranges[groups[i]];
    range.low = range.members == 0 ? counts[i] : std::min(range.low, counts[i]);
    range.high = std::max(range.high, counts[i]);
    ++range.members;
  }
  return ranges;
}

}  // namespace divns
