// SPDX-License-Identifier: Apache-2.0
#include "linalg/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <vector>

namespace divns {
namespace {

TEST(SymmetricEigen, RebuildsTheMatrixFromItsLowerTriangle) {
  // Stride 4; the upper triangle and the padding hold rubbish that must not be read.
  const std::vector<double> a = {4, 99, 99, 7, 1, 3, 99, 7, -2, 0.5, 2, 7};
  const std::vector<double> full = {4, 1, -2, 1, 3, 0.5, -2, 0.5, 2};
  const SymmetricEigen eigen = symmetric_eigen(a.data(), 3, 4);
  EXPECT_LE(eigen.values[0], eigen.values[1]);
  EXPECT_LE(eigen.values[1], eigen.values[2]);
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) {
      double rebuilt = 0, product = 0;
      for (size_t r = 0; r < 3; ++r) {
        rebuilt += eigen.values[r] * eigen.vectors[r * 3 + i] * eigen.vectors[r * 3 + j];
        product += eigen.vectors[i * 3 + r] * eigen.vectors[j * 3 + r];
      }
      EXPECT_NEAR(rebuilt, full[i * 3 + j], 1e-14);
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-14);
    }
}

TEST(SymmetricEigen, NothingIsLegal) {
  EXPECT_TRUE(symmetric_eigen(nullptr, 0, 0).values.empty());
}

}  // namespace
}  // namespace divns
