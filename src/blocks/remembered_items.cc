// SPDX-License-Identifier: Apache-2.0
#include "blocks/remembered_items.h"

#include <algorithm>

namespace divns {

RememberedItems::RememberedItems(const Interactions& train, const UserRange& users,
                                 const std::filesystem::path& scratch)
    : train_(train), users_(users), scratch_(scratch), first_pair_(train.offsets[users.first]) {}

void RememberedItems::start(size_t each) {
  each_ = each;
  const size_t size = (train_.offsets[users_.last] - first_pair_) * each;
  for (size_t i = 0; i < lists_.size(); ++i) {
    if (scratch_.empty()) {
      in_memory_[i].resize(size);
      lists_[i] = in_memory_[i];
    } else {
      on_disk_[i] = ScratchFile(scratch_, size * sizeof(uint32_t));
      lists_[i] = {static_cast<uint32_t*>(static_cast<void*>(on_disk_[i].bytes().data())), size};
    }
    std::ranges::fill(lists_[i], kNoItem);
  }
}

std::vector<uint32_t> RememberedItems::recall(const UserRange& users, const Interactions& cell,
                                              const ItemParts& parts, uint32_t part,
                                              const Executor& executor) {
  std::vector<uint32_t> out;
  if (each_ == 0) return out;
  out.assign(cell.pairs() * each_, kNoItem);
  count_moved(last_epoch(users).size());
  executor.for_chunks(users.size(), kUsersAtOnce, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      uint64_t next = cell.offsets[row] * each_;
      const uint64_t full = cell.offsets[row + 1] * each_;
      for (const uint32_t item : of_user(lists_[last_], users.first + static_cast<uint32_t>(row))) {
        if (item == kNoItem || parts.place(item).part != part) continue;
        if (next == full) break;
        out[next++] = parts.place(item).row;
      }
    }
  });
  return out;
}

void RememberedItems::remember(const UserRange& users, const Interactions& cell,
                               const ItemParts& parts, uint32_t part,
                               std::span<const uint32_t> items, const Executor& executor) {
  if (items.empty()) return;
  if (each_ == 0) start(items.size() / cell.pairs());
  count_moved(items.size());
  const std::span<const uint32_t> numbers = parts.items_of(part);
  executor.for_chunks(users.size(), kUsersAtOnce, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const auto user = users.first + static_cast<uint32_t>(row);
      const std::span<const uint32_t> owned = train_.row(user);
      const std::span<uint32_t> out = of_user(lists_[1 - last_], user);
      uint64_t next = cell.offsets[row] * each_;
      for (size_t pair = 0; pair < owned.size(); ++pair) {
        if (parts.place(owned[pair]).part != part) continue;
        for (size_t j = 0; j < each_; ++j) {
          const uint32_t item = items[next++];
          out[pair * each_ + j] = item == kNoItem ? kNoItem : numbers[item];
        }
      }
    }
  });
  if (!scratch_.empty())
    for (size_t i = 0; i < lists_.size(); ++i)
      on_disk_[i].set_aside(std::as_bytes(
          lists_[i].subspan((train_.offsets[users.first] - first_pair_) * each_,
                            (train_.offsets[users.last] - train_.offsets[users.first]) * each_)));
}

void RememberedItems::end_epoch() {
  if (each_ == 0) return;
  last_ = 1 - last_;
  // Pairs that are trained in no cell of the next epoch remember nothing.
  count_moved(lists_[last_].size());
  std::ranges::fill(lists_[1 - last_], kNoItem);
}

std::span<uint32_t> RememberedItems::last_epoch(const UserRange& users) {
  return lists_[last_].subspan((train_.offsets[users.first] - first_pair_) * each_,
                               (train_.offsets[users.last] - train_.offsets[users.first]) * each_);
}

}  // namespace divns
