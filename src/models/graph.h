// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/half_table.h"
#include "base/parallel.h"
#include "base/table.h"
#include "divns/interactions.h"
#include "kernels/spmm.h"
#include "models/transposed.h"

namespace divns {

// The bipartite graph of the training pairs, as products with the normalised adjacency
// A^ = D^-1/2 A D^-1/2, from items to users and from users to items. Rows of degree 0 give zero.
class Graph {
 public:
  Graph(const Interactions& train, const Executor& executor);

  // What a product reads: a table with a row for every node, or with `slots` a compact one. Where
  // `half` is set, its copy in bfloat16 is read instead.
  struct Source {
    VectorTable table;
    const uint32_t* slots = nullptr;
    const uint16_t* half = nullptr;
  };
  // What it writes: a table and, where set, its copy in bfloat16.
  struct Target {
    Table& table;
    HalfTable* half = nullptr;
  };
  // Which rows of the result are wanted: all, or these.
  struct Wanted {
    bool all = true;
    std::span<const uint32_t> rows;
  };

  // user_out = A^ items and item_out = A^T users in one parallel loop. The tables written are none
  // of those read.
  void propagate(const Source& users, const Source& items, const Wanted& wanted_users,
                 const Wanted& wanted_items, Target user_out, Target item_out) const;

 private:
  struct Direction {
    std::span<const uint64_t> offsets;
    std::span<const uint32_t> columns;
    // Rows cut so that every chunk has about the same number of edges.
    std::vector<uint32_t> chunk_bounds;
  };
  static std::vector<uint32_t> balanced_chunks(std::span<const uint64_t> offsets);

  const Executor& executor_;
  Transposed by_item_;
  Direction to_users_;
  Direction to_items_;
  std::vector<float> user_scale_;  // 1 / sqrt(degree), 0 for degree 0
  std::vector<float> item_scale_;
};

}  // namespace divns
