// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "data/slab_store.h"
#include "data/split_marks.h"
#include "divns/parallel.h"
#include "divns/split.h"

namespace divns {

bool needs_times(SplitMethod method);

inline constexpr uint8_t kTrain = 0;
inline constexpr uint8_t kValid = 1;
inline constexpr uint8_t kTest = 2;
using PartLabels = ScratchVector<uint8_t>;

// The part of each pair, slab by slab. A function of pairs and request alone, whatever the threads
// and wherever slabs end.
//
// Shares of n pairs are cut at round(train * n) and round((train + valid) * n), so they are exact
// to one pair. Ties of time are cut in the order of (user, item). Per-user methods never leave a
// user with pairs but none for training. Leave-one-out takes the latest pairs where times are known
// and random ones otherwise; users with one or two pairs keep them for training.
class Splitter {
 public:
  Splitter(const SlabStore& pairs, const SplitRequest& request, const Executor& executor);
  PartLabels labels(const Slab& slab) const;

 private:
  void label_by_words(const Slab& slab, PartLabels& labels) const;
  void label_by_times(const Slab& slab, PartLabels& labels) const;
  void label_users(const Slab& slab, PartLabels& labels) const;

  SplitRequest request_;
  const Executor& executor_;
  bool has_times_;
  SplitMarks marks_{};
};

// The pairs of each part as rows, for kTrain, kValid and kTest.
std::array<Rows, 3> rows_by_part(const Rows& rows, const PartLabels& labels,
                                 const Executor& executor);
// The parts of all pairs; slab k of every part has the users of slab k.
std::array<SlabStore, 3> divide(const SlabStore& pairs, const SplitRequest& request,
                                const Executor& executor);

}  // namespace divns
