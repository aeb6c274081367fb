// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/scratch_file.h"
#include "blocks/cell.h"
#include "blocks/item_parts.h"
#include "divns/interactions.h"
#include "divns/parallel.h"

namespace divns {

// What the sampler remembers (Sampler::remembered_items) between the epochs, for some users: the
// same number of items for each of their pairs, under the numbers of the whole dataset. The parts
// of the next epoch are others, so a cell gets what its users remember of the items of its part, in
// the order of their pairs, as far as its own pairs have room.
class RememberedItems {
 public:
  RememberedItems(const Interactions& train, const UserRange& users,
                  const std::filesystem::path& scratch);

  // For the first epoch after `each` becomes known. 0: the sampler remembers nothing.
  void start(size_t each);
  size_t each() const { return each_; }
  // If they are on disk: bytes that were read and written so far.
  uint64_t bytes_moved() const { return bytes_moved_; }

  // For the next epoch of a cell: empty if nothing is known yet.
  std::vector<uint32_t> recall(const UserRange& users, const Interactions& cell,
                               const ItemParts& parts, uint32_t part, const Executor& executor);
  // After it.
  void remember(const UserRange& users, const Interactions& cell, const ItemParts& parts,
                uint32_t part, std::span<const uint32_t> items, const Executor& executor);
  void end_epoch();

  // Of the last epoch, one array for these users.
  std::span<uint32_t> last_epoch(const UserRange& users);

 private:
  static constexpr size_t kUsersAtOnce = 512;

  // The entries of one user in an array of this object.
  std::span<uint32_t> of_user(std::span<uint32_t> lists, uint32_t user) const {
    return lists.subspan((train_.offsets[user] - first_pair_) * each_,
                         train_.row(user).size() * each_);
  }

  Interactions train_;
  UserRange users_;
  std::filesystem::path scratch_;
  uint64_t first_pair_;
  void count_moved(size_t items) { bytes_moved_ += scratch_.empty() ? 0 : 4 * items; }

  size_t each_ = 0;
  uint64_t bytes_moved_ = 0;
  size_t last_ = 0;  // which of the two arrays is that of the last epoch
  std::array<std::vector<uint32_t>, 2> in_memory_;
  std::array<ScratchFile, 2> on_disk_;
  std::array<std::span<uint32_t>, 2> lists_;
};

}  // namespace divns
