// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/spill_file.h"
#include "data/sort_pairs.h"

namespace divns {

// Sorted distinct pairs on disk: the users that occur, how many pairs each has, and these pairs.
class SortedRun {
 public:
  // `degrees` grows by the pairs of each user.
  SortedRun(ScratchSpace& disk, const SortedPairs& pairs, std::span<uint64_t> degrees);

  // Where the users of each range begin; ranges[r] is the first user of range r.
  void divide(std::span<const uint32_t> ranges);

  // The pairs of a range, users counted from its first one.
  struct Slice {
    std::vector<uint32_t> users, counts;
    ScratchVector<uint32_t> items;
    ScratchVector<int64_t> times;
    UnsortedPairs view() const { return {users, counts, items, times}; }
  };
  Slice slice(size_t range, uint32_t first_user) const;

 private:
  struct Place {
    uint64_t user = 0;
    uint64_t pair = 0;
  };
  SpillFile file_;
  uint64_t users_at_ = 0, counts_at_ = 0, items_at_ = 0, times_at_ = 0;
  Place end_;
  bool timed_;
  std::vector<Place> begins_;
};

}  // namespace divns
