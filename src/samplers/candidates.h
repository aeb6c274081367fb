// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "divns/interactions.h"

namespace divns {

// Draws items that a user has no training pair with, uniformly. Nothing is rejected: rank r among
// the user's missing items is turned into an item by one binary search over what the user owns, so
// a user who owns nearly everything costs the same as any other.
class CandidateDrawer {
 public:
  explicit CandidateDrawer(const Interactions& train) : train_(train) {}

  // |I_u-|, how many items can be drawn at all.
  uint32_t available(uint32_t user) const {
    return train_.item_count - static_cast<uint32_t>(train_.row(user).size());
  }
  // The missing item of a given rank, in ascending order; rank < available(user).
  uint32_t missing_item(uint32_t user, uint32_t rank) const;

  // available(user) > 0 in each of these.
  uint32_t draw(Draws& draws, uint32_t user) const;
  void draw_with_replacement(Draws& draws, uint32_t user, std::span<uint32_t> out) const;
  // Distinct items; all missing items in random order where fewer than out.size() exist. Returns
  // how many were written.
  size_t draw_without_replacement(Draws& draws, uint32_t user, std::span<uint32_t> out) const;

 private:
  Interactions train_;
};

}  // namespace divns
