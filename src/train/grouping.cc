// SPDX-License-Identifier: Apache-2.0
#include "train/grouping.h"

namespace divns {

void Grouping::group(std::span<const uint32_t> keys) {
  keys_.assign(keys.begin(), keys.end());
  for (const uint32_t row : rows_) slots_[row] = kNoSlot;
  found_.clear();
  counts_.clear();
  for (const uint32_t key : keys) {
    if (slots_[key] == kNoSlot) {
      slots_[key] = static_cast<uint32_t>(found_.size());
      found_.push_back(key);
      counts_.push_back(0);
    }
    ++counts_[slots_[key]];
  }
  order_by_home();
  // starts_[slot + 1] is the end of a row at first, and its start once its entries are placed.
  entries_.resize(keys.size());
  for (size_t e = keys.size(); e-- > 0;)
    entries_[--starts_[slots_[keys[e]] + 1]] = static_cast<uint32_t>(e);
  for (size_t slot = 0; slot + 1 < starts_.size(); ++slot) starts_[slot] = starts_[slot + 1];
  starts_.back() = static_cast<uint32_t>(keys.size());
}

// Orders the rows that were found by their homes, and accumulates their counts in that order.
void Grouping::order_by_home() {
  home_starts_.fill(0);
  for (const uint32_t row : found_) ++home_starts_[row % kHomes + 1];
  for (size_t home = 0; home < kHomes; ++home) home_starts_[home + 1] += home_starts_[home];
  std::array<uint32_t, kHomes + 1> next = home_starts_;
  rows_.resize(found_.size());
  starts_.assign(found_.size() + 1, 0);
  for (size_t i = 0; i < found_.size(); ++i) {
    const uint32_t row = found_[i];
    const uint32_t slot = next[row % kHomes]++;
    slots_[row] = slot;
    rows_[slot] = row;
    starts_[slot + 1] = counts_[i];
  }
  for (size_t slot = 1; slot < starts_.size(); ++slot) starts_[slot] += starts_[slot - 1];
}

}  // namespace divns
