// SPDX-License-Identifier: Apache-2.0
// How diverse the sampled negatives are. For a set S of n vectors, with v = x / |x|:
//   div(S) = 1 - sum_{i != j} v_i . v_j / (n (n-1)) = 1 - (|sum v|^2 - n) / (n (n-1)),
// so O(n d). 0 if all point the same way; above 1 if they point apart more than at random.
// A zero vector is at right angles to everything.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "divns/vectors.h"

namespace divns {

// Sets that grow vector by vector, all of one width: a set for each user, for example.
class SetDiversity {
 public:
  SetDiversity(uint32_t sets, uint32_t dim);

  void add(uint32_t set, const float* vector);
  // Nothing for fewer than two vectors.
  std::optional<double> of(uint32_t set) const;
  void clear();

  uint32_t sets() const { return static_cast<uint32_t>(counts_.size()); }

 private:
  uint32_t dim_;
  std::vector<double> sums_;  // sets x dim, of unit vectors
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> units_;  // those of the counted that are not zero
};

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
