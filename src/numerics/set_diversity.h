// SPDX-License-Identifier: Apache-2.0
// Diversity of a set of vectors. For a set S of n vectors, with v = x / |x|:
//   div(S) = 1 - sum_{i != j} v_i . v_j / (n (n-1)) = 1 - (|sum v|^2 - n) / (n (n-1)),
// which takes O(n d). It is 0 if all vectors have the same direction, and above 1 if they are on
// average more than orthogonal. A zero vector counts as orthogonal to everything.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace divns {

// Sets of vectors of one dimension that grow vector by vector, for example one set per user.
class SetDiversity {
 public:
  SetDiversity(uint32_t sets, uint32_t dim);

  void add(uint32_t set, const float* vector);
  // Empty for fewer than two vectors.
  std::optional<double> of(uint32_t set) const;
  void clear();

  uint32_t sets() const { return static_cast<uint32_t>(counts_.size()); }

 private:
  uint32_t dim_;
  std::vector<double> sums_;  // sets x dim, sums of unit vectors
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> units_;  // number of counted vectors that are not zero
};

}  // namespace divns
