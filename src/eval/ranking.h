// SPDX-License-Identifier: Apache-2.0
// Exact ranking of all items for many users: score descending, ties to the lower item. Scores are
// not stored: each block of users is scored with the items panel by panel, and the best k of each
// user are kept. The result does not depend on the block size or the threads. Memory is one packed
// copy of the items and a few kilobytes per thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "divns/aligned.h"
#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/vectors.h"
#include "eval/top_list.h"
#include "kernels/score_panels.h"

namespace divns {

struct RankingRequest {
  VectorTable users;
  std::span<const uint32_t> rows;       // users to rank for
  std::span<const Interactions> masks;  // pairs (user, item) that are not ranked
  uint32_t k = 10;
  uint32_t tiles = 8;  // users per block, in tiles: 48 users x 64 columns fit in the L1 cache
};

// The items, packed for the scoring kernel.
class PackedItems {
 public:
  // All items, or only `allowed` (ascending). Scores of NaN or minus infinity are never ranked.
  PackedItems(const VectorTable& items, const Executor& executor,
              std::optional<std::span<const uint32_t>> allowed = std::nullopt);

  uint32_t size() const { return size_; }
  uint32_t dim() const { return dim_; }

  // Calls visit(worker, n, list) once for each n in [0, rows.size()), with the ranking of user
  // rows[n].
  template <class Visit>
  void rank(const RankingRequest& request, const Executor& executor, Visit&& visit) const {
    const size_t grain = size_t{request.tiles} * kTileUsers;
    std::vector<Block> blocks(static_cast<size_t>(executor.threads()));
    executor.for_chunks_with_worker(request.rows.size(), grain,
                                    [&](int worker, size_t begin, size_t end) {
                                      Block& block = blocks[static_cast<size_t>(worker)];
                                      rank_block(request, begin, end, block);
                                      for (size_t n = begin; n < end; ++n) {
                                        block.users[n - begin].top.finish(block.list);
                                        visit(worker, n, std::span<const ScoredItem>(block.list));
                                      }
                                    });
  }

 private:
  // State of a user while the items are scored in ascending order.
  struct UserState {
    TopList top;
    uint32_t next_masked = 0;                       // the next masked item
    std::vector<std::span<const uint32_t>> masked;  // the rest of each mask's row

    bool is_masked(uint32_t item) {
      while (next_masked < item) pass_masked(item);
      return next_masked == item;
    }
    void pass_masked(uint32_t item);
    void mask_head(std::span<const uint32_t> ids, std::span<float> scores);
  };
  // Scratch of one thread for one block of users.
  struct Block {
    std::vector<UserState> users;
    AlignedVector<float> packed;  // tiles x dim x kTileUsers
    std::vector<float> head;      // users x head, scores of the first items
    std::vector<float> thresholds;
    std::vector<ScoredRow> rows;
    std::vector<ScoredItem> list;
  };

  void rank_block(const RankingRequest& request, size_t begin, size_t end, Block& block) const;
  uint32_t score_head(const RankingRequest& request, size_t users, Block& block) const;
  void add_row(const ScoredRow& row, uint32_t first, Block& block) const;
  void start_block(const RankingRequest& request, size_t begin, size_t end, Block& block) const;

  uint32_t size_;
  uint32_t dim_;
  uint32_t width_;
  AlignedVector<float> panels_;  // panels x dim x width
  std::vector<uint32_t> ids_;    // ids of the packed items; empty if these are all items
};

}  // namespace divns
