// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/parallel.h"
#include "base/set_diversity.h"
#include "divns/vectors.h"

namespace divns {

// The diversity of what a sampler draws: per user over an epoch, averaged over the users, averaged
// over the epochs.
class NegativeDiversity {
 public:
  NegativeDiversity(uint32_t users, uint32_t dim) : sets_(users, dim) {}

  // Negative vectors of a batch as they were when they were drawn: rows [b * per_row, (b+1) *
  // per_row) belong to users[b].
  void add(std::span<const uint32_t> users, const VectorTable& negatives, uint32_t per_row = 1);
  // The mean over the users with two negatives or more; nothing if there is none.
  std::optional<double> end_epoch(const Executor& executor);
  // Over the epochs ended so far.
  std::optional<double> mean() const;

 private:
  SetDiversity sets_;
  double sum_ = 0;
  uint32_t epochs_ = 0;
};

}  // namespace divns
