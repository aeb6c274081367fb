// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "divns/interactions.h"

namespace divns {

inline constexpr size_t kQuarters = 4;

// Train pairs of each item.
std::vector<uint32_t> item_counts(const Interactions& train);

// Splits things with a count each into four groups, lowest counts first, of about equal total
// weight. Equal counts stay together, so with many ties a group may be large and the next one
// empty: a thing with `before` of the total weight strictly below its count goes to group
// floor(4 before / total).
//   users by activity:   count = train pairs of the user, weight 1
//   items by popularity: count = weight = train pairs of the item, so each group stands for a
//                        quarter of the training data
std::vector<uint8_t> quarters(std::span<const uint32_t> counts, bool weigh_by_count);

// Smallest and largest count of each group; 0, 0 for an empty one.
struct CountRange {
  uint32_t low = 0;
  uint32_t high = 0;
  uint32_t members = 0;
};
std::array<CountRange, kQuarters> quarter_ranges(std::span<const uint32_t> counts,
                                                 std::span<const uint8_t> groups);

}  // namespace divns
