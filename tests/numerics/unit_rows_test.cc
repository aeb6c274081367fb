// SPDX-License-Identifier: Apache-2.0
#include "numerics/unit_rows.h"

#include <gtest/gtest.h>

#include "support/tables.h"

namespace divns {
namespace {

TEST(UnitRows, HaveLengthOneAndTheSameDirection) {
  Table table = testing::random_table(700, 13, 4);
  for (uint32_t k = 0; k < 13; ++k) table.row(5)[k] = 0;
  const Executor executor(2);
  Table units;
  unit_rows(table.view(), executor, units);
  ASSERT_EQ(units.rows(), 700U);
  for (uint32_t i = 0; i < 700; ++i) {
    double square = 0;
    for (uint32_t k = 0; k < 13; ++k) square += double{table.row(i)[k]} * double{table.row(i)[k]};
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (uint32_t k = 0; k < units.stride(); ++k)
      EXPECT_NEAR(units.row(i)[k], scale * double{table.row(i)[k]}, 1e-6) << i;
  }
}

TEST(UnitRows, TakeRowsWithoutPadding) {
  const float rows[] = {3, 4, 5, 12, 0, 2};
  Table units;
  unit_rows({.data = rows, .rows = 3, .dim = 2, .stride = 2}, Executor(1), units);
  EXPECT_FLOAT_EQ(units.row(0)[1], 0.8F);
  EXPECT_FLOAT_EQ(units.row(1)[0], 5 / 13.0F);
  EXPECT_FLOAT_EQ(units.row(2)[1], 1);
}

TEST(UnitRows, InPlaceWithTheInverseOfTheNorm) {
  Table table(1, 2);
  table.row(0)[0] = 3;
  table.row(0)[1] = -4;
  EXPECT_FLOAT_EQ(unit_row(table.row(0), table.row(0), table.stride()), 0.2F);
  EXPECT_FLOAT_EQ(table.row(0)[0], 0.6F);
  EXPECT_FLOAT_EQ(table.row(0)[1], -0.8F);
  Table zero(1, 2);
  EXPECT_EQ(unit_row(zero.row(0), zero.row(0), zero.stride()), 0);
  EXPECT_EQ(zero.row(0)[0], 0);
}

}  // namespace
}  // namespace divns
