// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "blocks/block_store.h"
#include "blocks/item_parts.h"
#include "blocks/schedule.h"
#include "distributed/communicator.h"

namespace divns {

// The item parts of a training and their travel between ranks (BlockSchedule). Between epochs every
// part is at its home, the rank of its first position.
class TravelingItems {
 public:
  TravelingItems(const BlockSchedule& schedule, const ItemParts& parts, uint32_t dim, size_t tables,
                 Communicator& ranks, const std::filesystem::path& scratch);

  BlockStore& store() { return store_; }
  const BlockStore& store() const { return store_; }
  int home(uint32_t part) const { return schedule_.rank_of_position(part); }
  bool is_home(uint32_t part) const { return home(part) == ranks_.rank(); }

  // After a round: every part moves to the position before it.
  void move_on(uint32_t round);
  // Between epochs: the rows move to their places in other parts.
  void divide_anew(const ItemParts& before, const ItemParts& now);

 private:
  BlockStore empty_store() const;

  BlockSchedule schedule_;
  Communicator& ranks_;
  std::vector<uint32_t> rows_;  // of each part
  uint32_t dim_;
  size_t tables_;
  std::filesystem::path scratch_;
  BlockStore store_;
};

// All rows of a block to or from another rank.
void send_block(Communicator& ranks, int to, BlockStore& store, size_t block);
void receive_block(Communicator& ranks, int from, BlockStore& store, size_t block);

}  // namespace divns
