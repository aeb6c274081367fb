// SPDX-License-Identifier: Apache-2.0
#include "linalg/solve.h"

#include <gtest/gtest.h>

#include <vector>

#include "divns/random.h"

namespace divns {
namespace {

TEST(SolvePositiveDefinite, FindsTheKnownSolution) {
  constexpr size_t kSize = 20;
  Draws draws = Random(1, "solve").draws();
  std::vector<double> root(kSize * kSize);
  for (double& value : root) value = draws.normal();
  std::vector<double> a(kSize * kSize, 0.0);
  std::vector<double> x(kSize);
  for (double& value : x) value = draws.normal();
  for (size_t i = 0; i < kSize; ++i)
    for (size_t j = 0; j < kSize; ++j) {
      for (size_t k = 0; k < kSize; ++k)
        a[i * kSize + j] += root[i * kSize + k] * root[j * kSize + k];
      if (i == j) a[i * kSize + j] += 0.5;
    }
  std::vector<double> b(kSize, 0.0);
  for (size_t i = 0; i < kSize; ++i)
    for (size_t j = 0; j < kSize; ++j) b[i] += a[i * kSize + j] * x[j];
  // Only the lower triangle counts.
  for (size_t i = 0; i < kSize; ++i)
    for (size_t j = i + 1; j < kSize; ++j) a[i * kSize + j] = 1e9;
  ASSERT_TRUE(solve_positive_definite(a, b));
  for (size_t i = 0; i < kSize; ++i) EXPECT_NEAR(b[i], x[i], 1e-10);
}

TEST(SolvePositiveDefinite, RefusesAnIndefiniteMatrix) {
  const std::vector<double> a = {1, 0, 2, 1};
  std::vector<double> b = {1, 1};
  EXPECT_FALSE(solve_positive_definite(a, b));
}

}  // namespace
}  // namespace divns
