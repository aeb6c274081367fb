// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "divns/parallel.h"

namespace divns {

// A loop over users and items at one level of propagation (hop l, or its gradient). Users of a
// level are computed from items of the previous level and vice versa, so the vectors form two
// independent chains: items of even levels with users of odd levels, and the reverse. The side of
// the first chain comes first. Because an executor gives the first chunks to the same threads in
// every loop, each chain stays with the cores that computed it. Otherwise every row would be read
// by another core than the one that wrote it.
//
// Calls users(chunk) for chunk in [0, user_chunks), and items(chunk) likewise.
template <class Users, class Items>
void run_both_sides(const Executor& executor, size_t level, size_t user_chunks, size_t item_chunks,
                    Users&& users, Items&& items) {
  const bool items_first = level % 2 == 0;
  const size_t first_chunks = items_first ? item_chunks : user_chunks;
  executor.run(user_chunks + item_chunks, [&](int, size_t chunk) {
    const bool first = chunk < first_chunks;
    const size_t own = first ? chunk : chunk - first_chunks;
    if (first == items_first)
      items(own);
    else
      users(own);
  });
}

}  // namespace divns
