// SPDX-License-Identifier: Apache-2.0
#include "blocks/cell.h"

#include <algorithm>

namespace divns {
namespace {

constexpr size_t kCellUsersPerChunk = 1024;

}  // namespace

std::vector<UserRange> cut_users(const Interactions& train, uint32_t blocks) {
  std::vector<UserRange> ranges(blocks);
  uint32_t first = 0;
  for (uint32_t block = 0; block < blocks; ++block) {
    const uint64_t pairs = train.pairs() * (block + 1) / blocks;
    const auto at = std::lower_bound(train.offsets.begin() + first, train.offsets.end() - 1, pairs);
    const auto last =
        block + 1 == blocks ? train.users() : static_cast<uint32_t>(at - train.offsets.begin());
    ranges[block] = {first, last};
    first = last;
  }
  return ranges;
}

Interactions rows_of(const Interactions& data, const UserRange& users) {
  return {data.offsets.subspan(users.first, size_t{users.size()} + 1), data.items, data.item_count};
}

UserRows::UserRows(const Interactions& train, const UserRange& users)
    : item_count_(train.item_count) {
  const auto bounds = train.offsets.subspan(users.first, size_t{users.size()} + 1);
  for (const uint64_t offset : bounds) offsets_.push_back(offset - bounds.front());
  items_ = train.items.subspan(bounds.front(), offsets_.back());
}

TrainingCell::TrainingCell(const Interactions& train, const UserRange& users,
                           const ItemParts& parts, uint32_t part, const Executor& executor)
    : offsets_(size_t{users.size()} + 1, 0), item_count_(parts.rows(part)) {
  const auto for_users = [&](auto&& body) {
    executor.for_chunks(users.size(), kCellUsersPerChunk, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row)
        body(row, train.row(users.first + static_cast<uint32_t>(row)));
    });
  };
  for_users([&](size_t row, std::span<const uint32_t> items) {
    offsets_[row + 1] = static_cast<uint64_t>(std::ranges::count_if(
        items, [&](uint32_t item) { return parts.place(item).part == part; }));
  });
  for (size_t row = 0; row < users.size(); ++row) offsets_[row + 1] += offsets_[row];
  items_.resize(offsets_.back());
  for_users([&](size_t row, std::span<const uint32_t> items) {
    uint64_t next = offsets_[row];
    for (const uint32_t item : items)
      if (const auto place = parts.place(item); place.part == part) items_[next++] = place.row;
  });
}

std::vector<uint64_t> usable_pairs(const Interactions& train, const UserRange& users,
                                   const ItemParts& parts, const Executor& executor) {
  using Counts = std::vector<uint64_t>;
  return executor.map_reduce(
      users.size(), kCellUsersPerChunk, Counts(parts.parts(), 0),
      [&](size_t begin, size_t end) {
        Counts sums(parts.parts(), 0);
        Counts own(parts.parts(), 0);
        for (size_t row = begin; row < end; ++row) {
          const auto items = train.row(users.first + static_cast<uint32_t>(row));
          for (const uint32_t item : items) ++own[parts.place(item).part];
          for (const uint32_t item : items) {
            const uint32_t part = parts.place(item).part;
            if (own[part] < parts.rows(part)) sums[part] += own[part];
            own[part] = 0;
          }
        }
        return sums;
      },
      [](Counts total, const Counts& sums) {
        for (size_t part = 0; part < total.size(); ++part) total[part] += sums[part];
        return total;
      });
}

}  // namespace divns
