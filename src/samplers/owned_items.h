// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "divns/interactions.h"

namespace divns {

// Tells whether a user has a training pair with an item. Users with many items have a bitmap, which
// takes at most four times the memory of their row. For the others a filter of one cache line
// answers most queries with no, and a binary search answers the rest.
class OwnedItems {
 public:
  explicit OwnedItems(const Interactions& train)
      : train_(train), bitmaps_(train.users(), kNoBitmap), filters_(train.users()) {
    const size_t words = (size_t{train.item_count} + 63) / 64;
    for (uint32_t user = 0; user < train.users(); ++user) {
      const std::span<const uint32_t> owned = train.row(user);
      if (train.item_count > kMostBitsAPair * owned.size()) {
        for (const uint32_t item : owned) filters_[user].add(item);
        continue;
      }
      bitmaps_[user] = bits_.size();
      bits_.resize(bits_.size() + words);
      for (const uint32_t item : owned)
        bits_[bitmaps_[user] + item / 64] |= uint64_t{1} << item % 64;
    }
  }

  bool owns(uint32_t user, uint32_t item) const {
    if (bitmaps_[user] != kNoBitmap)
      return ((bits_[bitmaps_[user] + item / 64] >> item % 64) & 1) != 0;
    if (!filters_[user].may_hold(item)) return false;
    const std::span<const uint32_t> owned = train_.row(user);
    return std::binary_search(owned.begin(), owned.end(), item);
  }
  // Prefetches what the next query about this user reads first.
  void prefetch(uint32_t user) const {
    if (bitmaps_[user] == kNoBitmap) __builtin_prefetch(filters_.data() + user);
  }

 private:
  // Bit place(item) is set for every item of the user.
  struct alignas(64) Filter {
    uint64_t words[8] = {};

    static uint32_t place(uint32_t item) { return (item * 0x9E3779B1U) >> 23; }
    void add(uint32_t item) { words[place(item) / 64] |= uint64_t{1} << place(item) % 64; }
    bool may_hold(uint32_t item) const {
      return ((words[place(item) / 64] >> place(item) % 64) & 1) != 0;
    }
  };
  static constexpr size_t kNoBitmap = SIZE_MAX;
  static constexpr size_t kMostBitsAPair = 128;

  Interactions train_;
  std::vector<size_t> bitmaps_;  // of each user: where it begins in bits_
  std::vector<uint64_t> bits_;
  std::vector<Filter> filters_;
};

}  // namespace divns
