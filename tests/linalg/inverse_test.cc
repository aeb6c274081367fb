// SPDX-License-Identifier: Apache-2.0
#include "linalg/inverse.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "divns/random.h"

namespace divns {
namespace {

// A kernel that falls with the distance of two points on a line, plus 1 on the diagonal: positive
// definite, and far from diagonal.
double element(uint32_t i, uint32_t j) {
  const double distance = i > j ? i - j : j - i;
  return std::exp(-distance / 20) + (i == j ? 1 : 0);
}

// Only what the inversion may read; the rest must not matter.
PanelMatrix lower_tiles(uint32_t n) {
  PanelMatrix a(n);
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j)
      a.at(i, j) = j / PanelMatrix::kWidth <= i / PanelMatrix::kWidth
                       ? static_cast<float>(element(i, j))
                       : std::nanf("");
  return a;
}

TEST(Inverse, TimesTheMatrixIsTheIdentity) {
  for (const uint32_t n : {1U, 3U, 255U, 256U, 257U, 520U}) {
    PanelMatrix p = lower_tiles(n);
    const Executor executor(2);
    double share = 0;
    ASSERT_TRUE(invert_positive_definite(p, executor, [&](double done) { share = done; }));
    EXPECT_EQ(share, 1);
    // A few rows are enough: each is a sum over the whole matrix.
    for (const uint32_t i : {0U, n / 3, n / 2, n - 1})
      for (uint32_t j = 0; j < n; ++j) {
        double sum = 0;
        for (uint32_t k = 0; k < n; ++k) sum += element(i, k) * double{p.at(k, j)};
        ASSERT_NEAR(sum, i == j ? 1 : 0, 2e-5) << n << " at " << i << ", " << j;
      }
    for (uint32_t i = 0; i < n; ++i)
      for (uint32_t j = 0; j < i; ++j) ASSERT_EQ(p.at(i, j), p.at(j, i)) << n;
  }
}

TEST(Inverse, HasTheSameBitsForAnyNumberOfThreads) {
  constexpr uint32_t kN = 600;
  PanelMatrix expected = lower_tiles(kN);
  ASSERT_TRUE(invert_positive_definite(expected, Executor(1)));
  for (const int threads : {2, 7}) {
    PanelMatrix found = lower_tiles(kN);
    ASSERT_TRUE(invert_positive_definite(found, Executor(threads, 3)));
    for (uint32_t i = 0; i < kN; ++i)
      for (uint32_t j = 0; j < kN; ++j)
        ASSERT_EQ(std::bit_cast<uint32_t>(found.at(i, j)),
                  std::bit_cast<uint32_t>(expected.at(i, j)));
  }
}

TEST(Inverse, RefusesWhatIsNotPositiveDefinite) {
  PanelMatrix a = lower_tiles(300);
  a.at(290, 290) = -1;
  EXPECT_FALSE(invert_positive_definite(a, Executor(2)));
}

TEST(Inverse, OfNothingIsNothing) {
  PanelMatrix a(0);
  EXPECT_TRUE(invert_positive_definite(a, Executor(2)));
}

}  // namespace
}  // namespace divns
