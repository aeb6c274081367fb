// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/scratch.h"
#include "divns/interactions.h"

namespace divns {

// Owns what an Interactions looks at.
struct Rows {
  std::vector<uint64_t> offsets = {0};
  ScratchVector<uint32_t> items;

  uint32_t users() const { return static_cast<uint32_t>(offsets.size() - 1); }
  size_t pairs() const { return items.size(); }
  Interactions view(uint32_t item_count) const { return {offsets, items, item_count}; }
};

// Distinct pairs, when they happened, and the ids that the numbers stand for.
struct PairList {
  Rows rows;
  ScratchVector<int64_t> times;  // of each pair, or empty
  std::vector<std::string> user_ids;
  std::vector<std::string> item_ids;

  size_t size() const { return rows.pairs(); }
  uint32_t users() const { return static_cast<uint32_t>(user_ids.size()); }
  uint32_t items() const { return static_cast<uint32_t>(item_ids.size()); }
};

}  // namespace divns
