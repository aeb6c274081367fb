// SPDX-License-Identifier: Apache-2.0
#include "linalg/solve.h"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Cholesky>

#include "base/check.h"

namespace divns {

bool solve_positive_definite(std::span<const double> a, std::span<double> b) {
  DIVNS_ASSERT(a.size() == b.size() * b.size());
  const auto n = static_cast<Eigen::Index>(b.size());
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::LLT<Matrix, Eigen::Lower> factor(Eigen::Map<const Matrix>(a.data(), n, n));
  if (factor.info() != Eigen::Success) return false;
  Eigen::Map<Eigen::VectorXd> x(b.data(), n);
  factor.solveInPlace(x);
  return x.allFinite();
}

}  // namespace divns
