// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/interactions.h"
#include "divns/parallel.h"

namespace divns {

// Lists of other items for each item.
struct ItemNeighbours {
  std::vector<uint64_t> offsets;  // items + 1
  std::vector<uint32_t> items;
  std::vector<float> weights;

  std::span<const uint32_t> row(uint32_t item) const {
    return std::span(items).subspan(offsets[item], offsets[item + 1] - offsets[item]);
  }
  std::span<const float> weights_of(uint32_t item) const {
    return std::span(weights).subspan(offsets[item], offsets[item + 1] - offsets[item]);
  }
};

// The items that most often occur with an item among the training pairs of a user: at most `most`
// per item with the largest cosine co(i, j) / sqrt(c_i c_j), ids ascending. Users with more than
// `longest` items are left out, because they link everything with everything at the cost of their
// number of items squared.
ItemNeighbours nearest_items(const Interactions& train, size_t most, size_t longest,
                             const Executor& executor);

// Jaccard overlap |N(i) & N(j)| / |N(i) | N(j)| of the neighbourhoods of two items: for each item
// the `most` items with the largest overlap above 0 and at most `largest`, by ascending overlap.
// Direct neighbours are left out if `skip_neighbours`.
ItemNeighbours overlapping_items(const ItemNeighbours& graph, size_t most, double largest,
                                 bool skip_neighbours, const Executor& executor);

}  // namespace divns
