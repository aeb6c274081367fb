// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "divns/interactions.h"

namespace divns {

// Answers whether a user has a training pair with an item. A filter of one cache line a user says
// no to most questions; a binary search settles the others.
class OwnedItems {
 public:
  explicit OwnedItems(const Interactions& train) : train_(train), filters_(train.users()) {
    for (uint32_t user = 0; user < train.users(); ++user)
      for (const uint32_t item : train.row(user)) filters_[user].add(item);
  }

  bool owns(uint32_t user, uint32_t item) const {
    if (!filters_[user].may_hold(item)) return false;
    const std::span<const uint32_t> owned = train_.row(user);
    return std::binary_search(owned.begin(), owned.end(), item);
  }
  // Asks the caches for what the next question about this user will look at first.
  void prefetch(uint32_t user) const { __builtin_prefetch(filters_.data() + user); }

 private:
  // Bit place(item) is set for every item that the user owns.
  struct alignas(64) Filter {
    uint64_t words[8] = {};

    static uint32_t place(uint32_t item) { return (item * 0x9E3779B1U) >> 23; }
    void add(uint32_t item) { words[place(item) / 64] |= uint64_t{1} << place(item) % 64; }
    bool may_hold(uint32_t item) const {
      return ((words[place(item) / 64] >> place(item) % 64) & 1) != 0;
    }
  };

  Interactions train_;
  std::vector<Filter> filters_;
};

}  // namespace divns
