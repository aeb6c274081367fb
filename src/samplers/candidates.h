// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "divns/interactions.h"

namespace divns {

// Draws items that a user has no training pair with, uniformly and in bounded time. An item is
// drawn from all and kept unless the user owns it; a filter of one cache line a user answers most
// of those questions with no. Users who own much, and the rare user who is refused many times, are
// served by rank instead: the r-th missing item is found by one binary search, whatever the user
// owns.
class CandidateDrawer {
 public:
  explicit CandidateDrawer(const Interactions& train);

  // |I_u-|, how many items can be drawn at all.
  uint32_t available(uint32_t user) const {
    return train_.item_count - static_cast<uint32_t>(train_.row(user).size());
  }
  // The missing item of a given rank, in ascending order; rank < available(user).
  uint32_t missing_item(uint32_t user, uint32_t rank) const;

  // Asks the caches for what a draw for this user will look at first.
  void prefetch(uint32_t user) const { __builtin_prefetch(filters_.data() + user); }

  // available(user) > 0 in each of these.
  uint32_t draw(Draws& draws, uint32_t user) const;
  void draw_with_replacement(Draws& draws, uint32_t user, std::span<uint32_t> out) const;
  // Distinct items; all missing items in random order where fewer than out.size() exist. Returns
  // how many were written.
  size_t draw_without_replacement(Draws& draws, uint32_t user, std::span<uint32_t> out) const;

 private:
  // Bit h(item) is set for every item that the user owns.
  struct alignas(64) Filter {
    uint64_t words[8] = {};

    static uint32_t place(uint32_t item) { return (item * 0x9E3779B1U) >> 23; }
    void add(uint32_t item) { words[place(item) / 64] |= uint64_t{1} << place(item) % 64; }
    bool may_hold(uint32_t item) const { return (words[place(item) / 64] >> place(item) % 64) & 1; }
  };
  bool owns(uint32_t user, uint32_t item) const;

  Interactions train_;
  std::vector<Filter> filters_;
};

}  // namespace divns
