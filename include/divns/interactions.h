// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace divns {

// Implicit feedback as compressed rows, a view that owns nothing. Users and items are numbered from
// 0; the items of a user are offsets[u] .. offsets[u+1] of `items`, ascending and distinct.
struct Interactions {
  std::span<const uint64_t> offsets;  // users + 1
  std::span<const uint32_t> items;    // pairs
  uint32_t item_count = 0;            // items that exist, whether or not they occur here

  uint32_t users() const { return offsets.empty() ? 0 : static_cast<uint32_t>(offsets.size() - 1); }
  size_t pairs() const { return items.size(); }
  std::span<const uint32_t> row(uint32_t user) const {
    return items.subspan(offsets[user], offsets[user + 1] - offsets[user]);
  }
};

// The number of pairs of each item.
inline std::vector<uint32_t> item_counts(const Interactions& data) {
  std::vector<uint32_t> counts(data.item_count, 0);
  for (const uint32_t item : data.items) ++counts[item];
  return counts;
}

// In lists of items of a fixed length: an entry without an item.
inline constexpr uint32_t kNoItem = 0xFFFFFFFFU;

}  // namespace divns
