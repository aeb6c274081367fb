// SPDX-License-Identifier: Apache-2.0
#include "numerics/alias_table.h"

#include <gtest/gtest.h>

#include <array>

namespace divns {
namespace {

TEST(AliasTable, DrawsInProportion) {
  const std::array<double, 6> weights = {5, 0, 1, 0.5, 3, 0.5};
  const AliasTable table(weights);
  constexpr int kDraws = 200'000;
  std::array<int, 6> counts{};
  Draws draws = Random(7, "alias").draws();
  for (int i = 0; i < kDraws; ++i) ++counts[table.draw(draws)];

  double chi_square = 0;
  for (size_t k = 0; k < weights.size(); ++k) {
    const double expected = kDraws * weights[k] / 10;
    if (expected > 0) chi_square += (counts[k] - expected) * (counts[k] - expected) / expected;
  }
  EXPECT_EQ(counts[1], 0);
  EXPECT_LT(chi_square, 18.5);  // 99.9 % point at 4 degrees of freedom
}

TEST(AliasTable, HoldsOneOutcomeAndEqualOnes) {
  Draws draws = Random(1, "alias").draws();
  const AliasTable single(std::array<double, 1>{0.25});
  EXPECT_EQ(single.draw(draws), 0U);

  const AliasTable equal(std::array<double, 4>{2, 2, 2, 2});
  std::array<int, 4> counts{};
  for (int i = 0; i < 40'000; ++i) ++counts[equal.draw(draws)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);
}

}  // namespace
}  // namespace divns
