// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

  // Which rows of the result are wanted: all, or these.
  struct Wanted {
    bool all = true;
    std::span<const uint32_t> rows;
  };

  // One direction of a product; see SpmmProblem. What is read is a table of the other side, with a
  // row for every node, or with `slots` a compact one.
  struct Product {
    VectorTable source;
    const uint32_t* slots = nullptr;
    const uint32_t* half_source = nullptr;
    Wanted wanted = {};
    float sum_weight = 1;
    std::span<const SpmmAddend> addends = {};
    const uint32_t* addend_slots = nullptr;
    float* sums = nullptr;
    float* out = nullptr;
    uint32_t* half_out = nullptr;
  };

  // Both directions in one parallel loop (run_both_sides), to a level of vectors or gradients from
  // the one beside it. The tables written are none of those read.
  void propagate(size_t level, const Product& to_users, const Product& to_items) const;

  // 1 / sqrt(degree), 0 for degree 0.
  std::span<const float> user_scales() const { return to_users_.row_scale; }
  std::span<const float> item_scales() const { return to_items_.row_scale; }

  // Which share of the edges ends in these users, or items.
  double share_of_users(std::span<const uint32_t> rows) const { return to_users_.share(rows); }
  double share_of_items(std::span<const uint32_t> rows) const { return to_items_.share(rows); }

 private:
  struct Direction {
    std::span<const uint64_t> offsets;
    std::span<const uint32_t> columns;
    std::vector<float> weights;  // by edge: the scale of its column
    std::vector<float> row_scale;
    // Rows cut so that every chunk has about the same number of edges.
    std::vector<uint32_t> chunk_bounds;

    double share(std::span<const uint32_t> rows) const;
    size_t chunks(const Product& product) const;
    void run(const Product& product, size_t chunk) const;
  };

  const Executor& executor_;
  Transposed by_item_;
  Direction to_users_;
  Direction to_items_;
};

}  // namespace divns
