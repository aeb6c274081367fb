// SPDX-License-Identifier: Apache-2.0
#include "numerics/set_diversity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/tables.h"
#include "support/worked_example.h"

namespace divns {
namespace {

double diversity_of(const std::vector<uint32_t>& items) {
  SetDiversity sets(1, 2);
  for (const uint32_t item : items) sets.add(0, testing::kExampleItems[item]);
  return sets.of(0).value();
}

TEST(Diversity, WorkedExamples) {
  EXPECT_NEAR(diversity_of({0, 1, 2}), .8772189, 1e-7);
  EXPECT_NEAR(diversity_of({4, 1}), .8585786, 1e-7);
  EXPECT_NEAR(diversity_of({0, 1, 2, 3, 4, 5}), 1.0567870, 1e-7);
}

TEST(Diversity, EqualsTheSumOverPairs) {
  const Table vectors = testing::random_table(30, 7, 1);
  SetDiversity sets(2, 7);
  double cosines = 0;
  for (uint32_t i = 0; i < 30; ++i) {
    sets.add(1, vectors.row(i));
    for (uint32_t j = 0; j < 30; ++j) {
      if (i == j) continue;
      double product = 0;
      double a = 0;
      double b = 0;
      for (uint32_t k = 0; k < 7; ++k) {
        product += static_cast<double>(vectors.row(i)[k]) * vectors.row(j)[k];
        a += static_cast<double>(vectors.row(i)[k]) * vectors.row(i)[k];
        b += static_cast<double>(vectors.row(j)[k]) * vectors.row(j)[k];
      }
      cosines += product / std::sqrt(a * b);
    }
  }
  EXPECT_NEAR(sets.of(1).value(), 1 - cosines / (30 * 29), 1e-12);
}

TEST(Diversity, EdgesOfTheDefinition) {
  const std::vector<float> x = {3, 4};
  const std::vector<float> zero = {0, 0};
  SetDiversity sets(3, 2);
  EXPECT_FALSE(sets.of(0).has_value());
  sets.add(0, x.data());
  EXPECT_FALSE(sets.of(0).has_value());
  sets.add(0, x.data());
  EXPECT_NEAR(sets.of(0).value(), 0, 1e-15);
  sets.add(1, zero.data());
  sets.add(1, zero.data());
  EXPECT_EQ(sets.of(1).value(), 1);
  sets.clear();
  EXPECT_FALSE(sets.of(0).has_value());
}

}  // namespace
}  // namespace divns
