// SPDX-License-Identifier: Apache-2.0
#include "kernels/cholesky.h"

#include <gtest/gtest.h>

#include <vector>

#include "divns/random.h"
#include "divns/table.h"

namespace divns {
namespace {

// X^T X + I with X of n + 3 rows, and a right-hand side.
struct Problem {
  explicit Problem(uint32_t n) : a(n, n), b(padded(n)) {
    Draws draws = Random(5, "cholesky").draws(n);
    std::vector<double> x(size_t{n + 3} * n);
    for (double& value : x) value = draws.normal();
    for (uint32_t i = 0; i < n; ++i) {
      for (uint32_t j = 0; j < n; ++j) {
        double sum = i == j ? 1 : 0;
        for (uint32_t r = 0; r < n + 3; ++r) sum += x[r * n + i] * x[r * n + j];
        a.row(i)[j] = static_cast<float>(sum);
      }
      b[i] = static_cast<float>(draws.normal());
    }
  }
  Table a;
  std::vector<float> b;
};

TEST(Cholesky, AgreesWithTheReference) {
  for (const uint32_t n : {1U, 2U, 7U, 8U, 9U, 31U, 64U, 65U, 100U}) {
    Problem found(n);
    Problem expected(n);
    ASSERT_TRUE(cholesky_solve(found.a.data(), n, found.a.stride(), found.b.data()));
    ASSERT_TRUE(
        reference::cholesky_solve(expected.a.data(), n, expected.a.stride(), expected.b.data()));
    for (uint32_t i = 0; i < n; ++i) {
      EXPECT_NEAR(found.b[i], expected.b[i], 1e-3) << n << " at " << i;
      for (uint32_t j = i; j < n; ++j)
        EXPECT_NEAR(found.a.row(i)[j], expected.a.row(i)[j], 1e-3) << n;
    }
  }
}

TEST(Cholesky, ReadsTheUpperTriangleAlone) {
  constexpr uint32_t kN = 20;
  Problem whole(kN);
  Problem upper(kN);
  for (uint32_t i = 0; i < kN; ++i)
    for (uint32_t j = 0; j < i; ++j) upper.a.row(i)[j] = 1e30F;
  ASSERT_TRUE(cholesky_solve(whole.a.data(), kN, whole.a.stride(), whole.b.data()));
  ASSERT_TRUE(cholesky_solve(upper.a.data(), kN, upper.a.stride(), upper.b.data()));
  EXPECT_EQ(whole.b, upper.b);
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  for (const bool use_reference : {false, true}) {
    const auto solve = use_reference ? reference::cholesky_solve : cholesky_solve;
    Table a(2, 2);
    a.row(0)[0] = a.row(0)[1] = a.row(1)[1] = 1;
    std::vector<float> b(a.stride(), 1.0F);
    EXPECT_FALSE(solve(a.data(), 2, a.stride(), b.data())) << "singular";
    a.row(0)[0] = -1;
    EXPECT_FALSE(solve(a.data(), 2, a.stride(), b.data())) << "negative";
  }
}

}  // namespace
}  // namespace divns
