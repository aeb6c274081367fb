// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "divns/random.h"

namespace divns {

// e_a(x_1 .. x_n) = sum over the subsets of size a of the product of their x, for all a <= k.
// Stored as logarithms, because products of hundreds of eigenvalues exceed the range of float64.
class ElementarySymmetric {
 public:
  // x >= 0. O(n k).
  ElementarySymmetric(std::span<const double> x, size_t k);

  size_t count() const { return logs_.size(); }
  // log e_a; -infinity if e_a is 0.
  double log_total(size_t a) const { return table_[a * (count() + 1) + count()]; }
  // A random subset of size a with probability proportional to the product of its x, as ascending
  // indices.
  void draw(size_t a, Draws& draws, std::vector<size_t>& chosen) const;

 private:
  double at(size_t a, size_t m) const { return table_[a * (count() + 1) + m]; }

  std::vector<double> logs_;
  std::vector<double> table_;  // row a, column m: log e_a(x_1 .. x_m)
};

inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();
// log(exp(a) + exp(b))
double log_add(double a, double b);

}  // namespace divns
