// SPDX-License-Identifier: Apache-2.0
#include "dpp/elementary_symmetric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace divns {
namespace {

TEST(ElementarySymmetric, EqualsTheCoefficientsOfAProduct) {
  // (1 + 2x)(1 + 3x)(1 + 5x) = 1 + 10x + 31x^2 + 30x^3
  const std::vector<double> x = {2, 3, 5};
  const ElementarySymmetric e(x, 3);
  const double expected[] = {1, 10, 31, 30};
  for (size_t a = 0; a < 4; ++a) EXPECT_NEAR(std::exp(e.log_total(a)), expected[a], 1e-12);
}

TEST(ElementarySymmetric, SurvivesWhatFloat64CannotHold) {
  const std::vector<double> tiny(300, 1e-9);
  const ElementarySymmetric e(tiny, 250);
  const double log_binomial = std::lgamma(301) - std::lgamma(251) - std::lgamma(51);
  EXPECT_NEAR(e.log_total(250), log_binomial + 250 * std::log(1e-9), 1e-6);
  const std::vector<double> zeros = {0, 1, 0};
  EXPECT_EQ(ElementarySymmetric(zeros, 2).log_total(2), -std::numeric_limits<double>::infinity());
}

TEST(ElementarySymmetric, DrawsSubsetsInProportionToTheirProducts) {
  const std::vector<double> x = {1, 2, 4};
  const ElementarySymmetric e(x, 2);
  Draws draws = Random(1, "esp").draws();
  std::map<std::vector<size_t>, int> counts;
  std::vector<size_t> chosen;
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) {
    e.draw(2, draws, chosen);
    ++counts[chosen];
  }
  const std::map<std::vector<size_t>, double> share = {
      {{0, 1}, 2.0 / 14}, {{0, 2}, 4.0 / 14}, {{1, 2}, 8.0 / 14}};
  ASSERT_EQ(counts.size(), 3U);
  // Five standard deviations of the largest count are about 650.
  for (const auto& [subset, p] : share) EXPECT_NEAR(counts[subset], kDraws * p, 650);
}

}  // namespace
}  // namespace divns
