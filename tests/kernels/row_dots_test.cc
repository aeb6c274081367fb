// SPDX-License-Identifier: Apache-2.0
#include "kernels/row_dots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "divns/aligned.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::normals;

template <class Row, class X>
void agrees_with_reference(double tolerance) {
  for (const size_t dim : std::initializer_list<size_t>{1, 7, 16, 40, 64, 130})
    for (const size_t n : std::initializer_list<size_t>{0, 1, 2, 3, 4, 5, 7, 8, 33}) {
      const size_t stride = padded_width(dim);
      const auto rows = normals<Row>(n, dim, stride, 1);
      const auto x = normals<X>(1, dim, stride, 2);
      AlignedVector<X> fast(n + 1, X{-1}), slow(n + 1, X{-1});
      row_dots(rows.data(), stride, n, x.data(), fast.data());
      reference::row_dots(rows.data(), stride, n, x.data(), slow.data());
      for (size_t i = 0; i <= n; ++i)
        EXPECT_NEAR(fast[i], slow[i], tolerance * std::sqrt(static_cast<double>(dim)))
            << dim << " " << n << " " << i;
    }
}

TEST(RowDots, AgreeWithTheReference) {
  agrees_with_reference<float, float>(1e-5);
  agrees_with_reference<float, double>(1e-14);
  agrees_with_reference<double, double>(1e-14);
}

TEST(RowDots, GatheredRowsGiveTheSameBits) {
  const size_t dim = 50, stride = padded_width(dim), n = 9;
  const auto rows = normals<float>(n, dim, stride, 3);
  const auto x = normals<float>(1, dim, stride, 4);
  AlignedVector<float> straight(n);
  row_dots(rows.data(), stride, n, x.data(), straight.data());
  const std::vector<uint32_t> index = {8, 0, 3, 3, 7, 1, 5};
  AlignedVector<float> gathered(index.size());
  gathered_row_dots(rows.data(), stride, index.data(), index.size(), x.data(), gathered.data());
  for (size_t i = 0; i < index.size(); ++i) EXPECT_EQ(gathered[i], straight[index[i]]) << i;
}

TEST(RowDots, SquaresAndScaling) {
  const size_t dim = 21, stride = padded_width(dim), n = 3;
  auto rows = normals<float>(n, dim, stride, 5);
  AlignedVector<double> before(n), after(n), self(n);
  row_squares(rows.data(), stride, n, before.data());
  for (size_t i = 0; i < n; ++i) {
    const AlignedVector<double> x(&rows[i * stride], &rows[i * stride] + stride);
    reference::row_dots(&rows[i * stride], stride, 1, x.data(), &self[i]);
    EXPECT_NEAR(before[i], self[i], 1e-13 * self[i]);
  }
  const std::vector<float> scale = {2.0F, 0.0F, -0.5F};
  scale_rows(rows.data(), stride, n, scale.data());
  row_squares(rows.data(), stride, n, after.data());
  EXPECT_DOUBLE_EQ(after[0], 4 * before[0]);
  EXPECT_EQ(after[1], 0);
  EXPECT_DOUBLE_EQ(after[2], 0.25 * before[2]);
}

}  // namespace
}  // namespace divns
