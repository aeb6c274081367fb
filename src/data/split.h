// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/parallel.h"
#include "data/pair_list.h"

namespace divns {

enum class SplitMethod {
  kRandom,           // shares of all pairs, at random
  kPerUser,          // shares of each user's pairs, at random
  kLeaveOneOut,      // a user's last pair for test, the one before for validation
  kTemporal,         // the earliest pairs of all for training, the latest for test
  kTemporalPerUser,  // the same within each user
};

bool needs_times(SplitMethod method);

struct SplitRequest {
  SplitMethod method = SplitMethod::kRandom;
  std::array<double, 3> ratios = {0.7, 0.1, 0.2};  // train, valid, test; sum 1
  uint64_t seed = 1;
};

// What the verbs let the user choose; the seed is declared by whoever owns it.
struct SplitOptions {
  SplitMethod method = SplitMethod::kRandom;
  std::vector<double> ratios = {0.7, 0.1, 0.2};

  void declare(Options& options);
  // Throws Error unless there are three ratios.
  SplitRequest request(uint64_t seed) const;
};

inline constexpr uint8_t kTrain = 0;
inline constexpr uint8_t kValid = 1;
inline constexpr uint8_t kTest = 2;
using PartLabels = ScratchVector<uint8_t>;

// The part of each pair. A function of pairs and request alone, whatever the threads.
//
// Shares of n pairs are cut at round(train * n) and round((train + valid) * n), so they are exact
// to one pair. Ties of time are cut in the order of (user, item). Per-user methods never leave a
// user with pairs but none for training. Leave-one-out takes the latest pairs where times are known
// and random ones otherwise; users with one or two pairs keep them for training.
PartLabels split_pairs(const PairList& pairs, const SplitRequest& request,
                       const Executor& executor);

// The pairs of each part as rows, for kTrain, kValid and kTest.
std::array<Rows, 3> rows_by_part(const Rows& rows, const PartLabels& labels,
                                 const Executor& executor);

}  // namespace divns
