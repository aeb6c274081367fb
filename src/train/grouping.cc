// SPDX-License-Identifier: Apache-2.0
#include "train/grouping.h"

namespace divns {

void Grouping::group(std::span<const uint32_t> keys) {
  keys_.assign(keys.begin(), keys.end());
  for (const uint32_t row : rows_) slots_[row] = kNoSlot;
  rows_.clear();
  starts_.assign(1, 0);
  for (const uint32_t key : keys) {
    if (slots_[key] == kNoSlot) {
      slots_[key] = static_cast<uint32_t>(rows_.size());
      rows_.push_back(key);
      starts_.push_back(0);
    }
    ++starts_[slots_[key] + 1];
  }
  // Counts become beginnings, then ends, then beginnings again while entries find their places.
  for (size_t slot = 1; slot < starts_.size(); ++slot) starts_[slot] += starts_[slot - 1];
  entries_.resize(keys.size());
  for (size_t e = keys.size(); e-- > 0;)
    entries_[--starts_[slots_[keys[e]] + 1]] = static_cast<uint32_t>(e);
  for (size_t slot = 0; slot + 1 < starts_.size(); ++slot) starts_[slot] = starts_[slot + 1];
  starts_.back() = static_cast<uint32_t>(keys.size());
}

}  // namespace divns
