// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "data/pair_list.h"
#include "divns/parallel.h"

namespace divns {

// Some pairs in any order; times has one for each, or none. So has users, unless `counts` says how
// many pairs in a row each of them stands for, which is never 0.
struct UnsortedPairs {
  std::span<const uint32_t> users;
  std::span<const uint32_t> counts;
  std::span<const uint32_t> items;
  std::span<const int64_t> times;
};

struct SortedPairs {
  Rows rows;
  ScratchVector<int64_t> times;
};

// All pairs of all blocks as rows: ascending, repeats dropped. Where a pair occurs several times,
// the earliest time stays. Users are below `users`, items below `items`; either all blocks have
// times or none.
SortedPairs sort_pairs(std::span<const UnsortedPairs> blocks, uint32_t users, uint32_t items,
                       const Executor& executor);

}  // namespace divns
