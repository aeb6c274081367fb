// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "divns/interactions.h"
#include "divns/random.h"

namespace divns::testing {

// Interactions in memory that own their arrays.
struct OwnedInteractions {
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> items;
  uint32_t item_count = 0;

  OwnedInteractions(const std::vector<std::vector<uint32_t>>& rows, uint32_t item_total)
      : item_count(item_total) {
    for (const auto& row : rows) {
      items.insert(items.end(), row.begin(), row.end());
      offsets.push_back(items.size());
    }
  }
  Interactions view() const { return {offsets, items, item_count}; }
};

// Users with one to about twice `mean` items, popular items more often than others, user 0 and the
// last item cold.
inline OwnedInteractions random_interactions(uint32_t users, uint32_t items, uint32_t mean,
                                             uint64_t seed) {
  std::vector<std::vector<uint32_t>> rows(users);
  const Random random(seed, "interactions");
  for (uint32_t u = 1; u < users; ++u) {
    Draws draws = random.draws(u);
    const uint32_t size = 1 + draws.below(2 * mean);
    for (uint32_t k = 0; k < size; ++k) {
      const double x = draws.uniform();
      rows[u].push_back(static_cast<uint32_t>(x * x * (items - 1)));
    }
    std::sort(rows[u].begin(), rows[u].end());
    rows[u].erase(std::unique(rows[u].begin(), rows[u].end()), rows[u].end());
  }
  return {rows, items};
}

}  // namespace divns::testing
