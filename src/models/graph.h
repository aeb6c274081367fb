// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/transposed.h"
#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/table.h"
#include "kernels/spmm.h"
#include "models/user_blocks.h"

namespace divns {

// The bipartite graph of the training pairs, as products with the normalised adjacency
// A^ = D^-1/2 A D^-1/2, from items to users and from users to items. Rows of degree 0 give zero.
//
// With user blocks, `train` has the users of this rank and every rank has all items. Products to
// users need this rank alone. Products to items are sums over blocks and ranks: all ranks must make
// the same calls in the same order, and all get the whole result.
class Graph {
 public:
  Graph(const Interactions& train, const Executor& executor, const UserBlocks* blocks = nullptr);

  // Whether there is one block.
  bool is_whole() const { return blocks_ == nullptr || blocks_->count == 1; }

  // Rows of the result to compute: all, or these.
  struct Wanted {
    bool all = true;
    std::span<const uint32_t> rows;
  };

  // One direction of a product; see SpmmProblem. The source is a table of the other side with one
  // row per node, or a compact one with `slots`. With several blocks, `out` alone may be written,
  // and with several ranks, all rows are computed.
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
  std::span<const float> user_scales() const { return user_scales_; }
  std::span<const float> item_scales() const { return item_scales_; }

  // The share of the edges that end in these users, or items.
  double share_of_users(std::span<const uint32_t> rows) const { return to_users_.share(rows); }
  double share_of_items(std::span<const uint32_t> rows) const { return to_items_[0].share(rows); }

 private:
  struct Direction {
    std::span<const uint64_t> offsets;
    std::span<const uint32_t> columns;
    std::vector<float> weights;  // per edge: the scale of its column
    std::span<const float> row_scale;

    double share(std::span<const uint32_t> rows) const;
    // Rows first .. first + count - 1, or these positions in the list of wanted rows.
    void run(const Product& product, uint32_t first, size_t count) const;
  };
  // The rows of one side in chunks. Chunks of a whole table have about the same number of edges.
  struct Chunks {
    explicit Chunks(std::vector<uint32_t> all) : bounds(std::move(all)) {}
    size_t count(const Wanted& wanted) const;
    template <class Body>
    void visit(const Wanted& wanted, size_t chunk, Body&& body) const;

    std::vector<uint32_t> bounds;
  };

  void sum_blocks(const Product& product, uint32_t first, size_t count, bool continued) const;
  void sum_over_ranks(const Product& product) const;

  const Executor& executor_;
  const UserBlocks* blocks_;
  std::vector<Transposed> by_item_;  // one per block of this rank
  std::vector<float> user_scales_;
  std::vector<float> item_scales_;
  Direction to_users_;
  std::vector<Direction> to_items_;  // one per block of this rank
  Chunks user_chunks_;
  Chunks item_chunks_;
};

}  // namespace divns
