// SPDX-License-Identifier: Apache-2.0
// How pairs are divided into a training, a validation and a test part.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace divns {

class Options;

enum class SplitMethod {
  kRandom,           // shares of all pairs, chosen at random
  kPerUser,          // shares of each user's pairs, chosen at random
  kLeaveOneOut,      // the user's last pair for test, the one before it for validation
  kTemporal,         // the earliest pairs of the dataset for training, the latest for test
  kTemporalPerUser,  // the same within each user
};

struct SplitRequest {
  SplitMethod method = SplitMethod::kRandom;
  std::array<double, 3> ratios = {0.7, 0.1, 0.2};  // train, valid, test; they sum to 1
  uint64_t seed = 1;
};

// The options of a split. The seed is declared by the owner of these options.
struct SplitOptions {
  SplitMethod method = SplitMethod::kRandom;
  std::vector<double> ratios = {0.7, 0.1, 0.2};

  void declare(Options& options);
  // Throws Error unless there are three ratios.
  SplitRequest request(uint64_t seed) const;
};

}  // namespace divns
