// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "divns/parallel.h"
#include "divns/table.h"

namespace divns {

// InfoNCE, a loss that is low if row i of one view is nearer to row i of the other view than to its
// other rows:
//   mean_i -log(p_i + 1e-5),   p_i = exp(c_ii) / sum_j exp(c_ij),   c_ij = cos(a_i, b_j) / tau.
class InfoNce {
 public:
  InfoNce(uint32_t dim, const Executor& executor);
  ~InfoNce();

  // Rows [begin, begin + rows) of both tables. Stores the gradients of weight * loss in the same
  // rows of the other two, and returns weight * loss.
  double loss(const Table& a, const Table& b, size_t begin, size_t rows, double temperature,
              double weight, Table& a_gradient, Table& b_gradient);

 private:
  struct Scratch;
  void normalise(const Table& from, size_t begin, size_t rows, Table& unit,
                 std::vector<float>& inverse);
  void group_of_rows(size_t begin, size_t end, size_t rows, double temperature, double weight,
                     Table& b_sums, Scratch& scratch);

  const Executor& executor_;
  Table unit_a_;
  Table unit_b_;
  std::vector<float> inverse_a_;
  std::vector<float> inverse_b_;
  Table by_a_;               // dLoss by the unit vectors
  std::vector<Table> by_b_;  // the same for the other view, one table per group of rows
  std::vector<double> losses_;
  std::vector<Scratch> scratch_;
};

}  // namespace divns
