// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace divns {

// A = sum_r values[r] x_r x_r^T with orthonormal x_r; values ascend.
struct SymmetricEigen {
  std::vector<double> values;   // n
  std::vector<double> vectors;  // n x n, x_r is row r
};

// `matrix` is n x n; row i starts at matrix[i * stride]. Only its lower triangle is read.
SymmetricEigen symmetric_eigen(const double* matrix, size_t n, size_t stride);

}  // namespace divns
