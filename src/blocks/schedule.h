// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "train/block_shape.h"

namespace divns {

// Which user block meets which item part in which round, and on which rank.
//
// A ring has max(U, I) positions and an epoch as many rounds. User block u stays at position
// u * positions / U. Item part i begins at position i and moves to the position before it after
// every round, so that in round t position a holds part (a + t) mod positions: a Latin square.
// Parts from I on, and user blocks of other positions, do not exist. The cells of a round share
// neither users nor items. P <= U ranks hold consecutive positions.
class BlockSchedule {
 public:
  BlockSchedule(BlockShape shape, int ranks)
      : shape_(shape),
        positions_(std::max(shape.users, shape.items)),
        ranks_(static_cast<uint32_t>(ranks)) {}

  uint32_t rounds() const { return positions_; }
  uint32_t position_of_user_block(uint32_t block) const {
    return scaled(block, positions_, shape_.users);
  }
  // shape.users: none is there.
  uint32_t user_block_at(uint32_t position) const {
    const uint32_t block =
        static_cast<uint32_t>((uint64_t{position} * shape_.users + positions_ - 1) / positions_);
    return block < shape_.users && position_of_user_block(block) == position ? block : shape_.users;
  }
  uint32_t part_at(uint32_t position, uint32_t round) const {
    return (position + round) % positions_;
  }
  // The part that a user block meets; shape.items or more: none.
  uint32_t part_met(uint32_t block, uint32_t round) const {
    return part_at(position_of_user_block(block), round);
  }
  bool exists(uint32_t part) const { return part < shape_.items; }

  // An order in which one process can visit all positions in all rounds with long stays at a
  // position, so that a user block on disk is read twice per epoch and not once per round. A visit
  // needs the previous round at its own position, and at the one that its part comes from.
  struct Visit {
    uint32_t position;
    uint32_t round;
  };
  std::vector<Visit> visits_of_one_process() const {
    std::vector<Visit> visits;
    for (uint32_t position = positions_; position-- > 0;)
      for (uint32_t round = 0; round + position < positions_; ++round)
        visits.push_back({position, round});
    for (uint32_t position = positions_; position-- > 0;)
      for (uint32_t round = positions_ - position; round < positions_; ++round)
        visits.push_back({position, round});
    return visits;
  }

  // User blocks are divided evenly, and each rank has the positions from that of its first user
  // block to that of the next rank's first.
  uint32_t first_user_block(int rank) const {
    return scaled(static_cast<uint32_t>(rank), shape_.users, ranks_);
  }
  uint32_t first_position(int rank) const {
    return rank == static_cast<int>(ranks_) ? positions_
                                            : position_of_user_block(first_user_block(rank));
  }
  int rank_of_position(uint32_t position) const {
    int rank = 0;
    while (first_position(rank + 1) <= position) ++rank;
    return rank;
  }
  int rank_of_user_block(uint32_t block) const {
    return rank_of_position(position_of_user_block(block));
  }

 private:
  static uint32_t scaled(uint32_t value, uint32_t to, uint32_t of) {
    return static_cast<uint32_t>(uint64_t{value} * to / of);
  }

  BlockShape shape_;
  uint32_t positions_;
  uint32_t ranks_;
};

}  // namespace divns
