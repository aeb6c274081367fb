// SPDX-License-Identifier: Apache-2.0
// How diverse a set of vectors is. For a set S of n vectors, with v = x / |x|:
//   div(S) = 1 - sum_{i != j} v_i . v_j / (n (n-1)) = 1 - (|sum v|^2 - n) / (n (n-1)),
// so O(n d). 0 if all point the same way; above 1 if they point apart more than at random.
// A zero vector is at right angles to everything.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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

}  // namespace divns
