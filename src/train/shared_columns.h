// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "divns/interactions.h"

namespace divns {

// Which of the shared negatives of a batch do not count for a user: those that the user has a
// training pair with. Found by going through the user's items, which are few.
class SharedColumns {
 public:
  explicit SharedColumns(const Interactions& train)
      : train_(train), first_(train.item_count, kNone) {}

  void set(std::span<const uint32_t> items) {
    for (const uint32_t item : items_) first_[item] = kNone;
    items_.assign(items.begin(), items.end());
    next_.resize(items.size());
    for (size_t j = items.size(); j-- > 0;) {
      next_[j] = first_[items[j]];
      first_[items[j]] = static_cast<uint32_t>(j);
    }
  }

  // Calls see(j) for every column of an item of the user.
  template <class See>
  void for_owned(uint32_t user, See&& see) const {
    for (const uint32_t item : train_.row(user))
      for (uint32_t j = first_[item]; j != kNone; j = next_[j]) see(j);
  }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  Interactions train_;
  std::vector<uint32_t> items_;
  std::vector<uint32_t> first_;  // of each item: its first column
  std::vector<uint32_t> next_;   // of each column: the next one of the same item
};

}  // namespace divns
