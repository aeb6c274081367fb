// SPDX-License-Identifier: Apache-2.0
#include "dpp/inclusion.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/tables.h"

namespace divns {
namespace {

// The determinant of a small matrix, by elimination.
double determinant(std::vector<double> a, size_t n) {
  double result = 1;
  for (size_t p = 0; p < n; ++p) {
    result *= a[p * n + p];
    for (size_t i = p + 1; i < n; ++i) {
      const double factor = a[i * n + p] / a[p * n + p];
      for (size_t j = p; j < n; ++j) a[i * n + j] -= factor * a[p * n + j];
    }
  }
  return result;
}

// Against the sum over all subsets of three of nine rows.
TEST(KdppInclusion, AgreesWithTheSumOverAllSets) {
  constexpr uint32_t kRows = 9;
  const Table table = testing::random_table(kRows, 5, 3);
  std::vector<uint32_t> ids(kRows);
  std::iota(ids.begin(), ids.end(), 0U);
  FeatureRows rows;
  rows.pack(table.view(), ids, {}, true);
  const DualSpectrum spectrum(rows);
  const std::vector<double> found = kdpp_inclusion(rows, spectrum, 3);
  const auto dot = [&](size_t a, size_t b) {
    double sum = 0;
    for (uint32_t c = 0; c < 5; ++c) sum += double{rows.row(a)[c]} * double{rows.row(b)[c]};
    return sum;
  };
  std::vector<double> expected(kRows, 0);
  double total = 0;
  for (size_t a = 0; a < kRows; ++a)
    for (size_t b = a + 1; b < kRows; ++b)
      for (size_t c = b + 1; c < kRows; ++c) {
        const double weight = determinant({dot(a, a), dot(a, b), dot(a, c), dot(b, a), dot(b, b),
                                           dot(b, c), dot(c, a), dot(c, b), dot(c, c)},
                                          3);
        total += weight;
        for (const size_t i : {a, b, c}) expected[i] += weight;
      }
  double sum = 0;
  for (size_t i = 0; i < kRows; ++i) {
    EXPECT_NEAR(found[i], expected[i] / total, 1e-5) << i;
    sum += found[i];
  }
  EXPECT_NEAR(sum, 3, 1e-5);
}

}  // namespace
}  // namespace divns
