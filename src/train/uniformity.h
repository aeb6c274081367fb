// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "divns/aligned.h"
#include "divns/parallel.h"
#include "divns/table.h"
#include "kernels/gemm.h"

namespace divns {

// The uniformity of B unit vectors x_b and its gradient (Wang and Isola, ICML 2020):
//   U = log mean_{i != j} exp(-2 |x_i - x_j|^2),  |x_i - x_j|^2 = 2 - 2 x_i . x_j,
//   dU/dx_i = (8 / T) sum_{j != i} e_ij x_j,  e_ij = exp(4 x_i . x_j - 4),  T = sum_{i != j} e_ij.
// Panels of some rows x B are computed and multiplied in the cache (see ScoreBlock).
class Uniformity {
 public:
  Uniformity(uint32_t dim, const Executor& executor);

  void compute(const Table& vectors);
  double value() const { return value_; }  // 0 for fewer than two vectors
  const Table& gradients() const { return gradients_; }

 private:
  const Executor& executor_;
  PackedMatrix to_scores_;
  PackedMatrix to_gradients_;
  Table gradients_;
  std::vector<double> row_sums_;
  std::vector<AlignedVector<float>> panels_;  // of each worker
  double value_ = 0;
};

}  // namespace divns
