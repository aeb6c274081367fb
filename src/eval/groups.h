// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "divns/evaluate.h"
#include "divns/interactions.h"

namespace divns {

// Divides elements with a count each into four groups of about equal total weight, lowest counts
// first. Equal counts stay together, so with many ties a group may be large and the next one empty:
// an element goes to group floor(4 before / total), where `before` is the weight of all elements
// with a strictly smaller count.
//   users by activity:   count = training pairs of the user, weight 1
//   items by popularity: count = weight = training pairs of the item, so each group covers a
//                        quarter of the training pairs
std::vector<uint8_t> quarters(std::span<const uint32_t> counts, bool weigh_by_count);

// The range of the counts of each group.
std::array<CountRange, kQuarters> quarter_ranges(std::span<const uint32_t> counts,
                                                 std::span<const uint8_t> groups);

}  // namespace divns
