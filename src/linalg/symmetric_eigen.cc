// SPDX-License-Identifier: Apache-2.0
#define EIGEN_DONT_PARALLELIZE
#include "linalg/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

#include "base/check.h"

namespace divns {

SymmetricEigen symmetric_eigen(const double* matrix, size_t n, size_t stride) {
  SymmetricEigen result;
  result.values.resize(n);
  result.vectors.resize(n * n);
  if (n == 0) return result;
  const auto size = static_cast<Eigen::Index>(n);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>> view(
      matrix, size, size, Eigen::OuterStride<>(static_cast<Eigen::Index>(stride)));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(view)};
  if (solver.info() != Eigen::Success)
    fail("the eigenvalues of a {} x {} matrix could not be found; are all its entries finite?", n,
         n);
  Eigen::Map<Eigen::VectorXd>(result.values.data(), size) = solver.eigenvalues();
  Eigen::Map<RowMajor>(result.vectors.data(), size, size) = solver.eigenvectors().transpose();
  return result;
}

}  // namespace divns
