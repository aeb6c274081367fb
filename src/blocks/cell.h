// SPDX-License-Identifier: Apache-2.0
// A cell: the training pairs of one user block with the items of one part, renumbered from 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/item_parts.h"
#include "divns/interactions.h"
#include "divns/parallel.h"

namespace divns {

// Users first .. last - 1.
struct UserRange {
  uint32_t first = 0;
  uint32_t last = 0;

  uint32_t size() const { return last - first; }
};

// Consecutive users with about the same number of training pairs per block.
std::vector<UserRange> cut_users(const Interactions& train, uint32_t blocks);

// The rows of these users. Offsets are not rebased, so pairs() is not that of the users.
Interactions rows_of(const Interactions& data, const UserRange& users);

// The same with offsets from 0, for all that needs the users alone.
class UserRows {
 public:
  UserRows(const Interactions& train, const UserRange& users);

  Interactions view() const { return {offsets_, items_, item_count_}; }

 private:
  std::vector<uint64_t> offsets_;
  std::span<const uint32_t> items_;  // of the training pairs that it was made from
  uint32_t item_count_;
};

class TrainingCell {
 public:
  TrainingCell(const Interactions& train, const UserRange& users, const ItemParts& parts,
               uint32_t part, const Executor& executor);

  Interactions view() const { return {offsets_, items_, item_count_}; }

 private:
  std::vector<uint64_t> offsets_;
  std::vector<uint32_t> items_;
  uint32_t item_count_;
};

// For each part, the number of pairs of its cell with these users that have a negative in the cell:
// those of a user who has every item of the part do not count.
std::vector<uint64_t> usable_pairs(const Interactions& train, const UserRange& users,
                                   const ItemParts& parts, const Executor& executor);

}  // namespace divns
