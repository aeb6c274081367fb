// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/transposed.h"
#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/table.h"
#include "kernels/spmm.h"

namespace divns {

// The bipartite graph of the training pairs, as products with the normalised adjacency
// A^ = D^-1/2 A D^-1/2, from items to users and from users to items. Rows of degree 0 give zero.
class Graph {
 public:
  Graph(const Interactions& train, const Executor& executor);

  // Rows of the result to compute: all, or these.
  struct Wanted {
    bool all = true;
    std::span<const uint32_t> rows;
  };

  // One direction of a product; see SpmmProblem. The source is a table of the other side with one
  // row per node, or a compact one with `slots`.
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

  // Both directions in one parallel loop (run_both_sides), from one level of vectors or gradients
  // to the next. No table is both read and written.
  void propagate(size_t level, const Product& to_users, const Product& to_items) const;

  // 1 / sqrt(degree), 0 for degree 0.
  std::span<const float> user_scales() const { return to_users_.row_scale; }
  std::span<const float> item_scales() const { return to_items_.row_scale; }

  // The share of the edges that end in these users, or items.
  double share_of_users(std::span<const uint32_t> rows) const { return to_users_.share(rows); }
  double share_of_items(std::span<const uint32_t> rows) const { return to_items_.share(rows); }

 private:
  struct Direction {
    std::span<const uint64_t> offsets;
    std::span<const uint32_t> columns;
    std::vector<float> weights;  // per edge: the scale of its column
    std::vector<float> row_scale;
    // Rows are divided so that every chunk has about the same number of edges.
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
