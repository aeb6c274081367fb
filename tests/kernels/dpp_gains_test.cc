// SPDX-License-Identifier: Apache-2.0
#include "kernels/dpp_gains.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "base/aligned.h"
#include "base/random.h"
#include "kernels/row_dots.h"

namespace divns {
namespace {

template <class T>
AlignedVector<T> normals(size_t rows, size_t columns, size_t stride, uint32_t purpose) {
  AlignedVector<T> values(rows * stride, T{0});
  Draws draws = Random(6, "dpp_gains_test").draws(purpose);
  for (size_t i = 0; i < rows; ++i)
    for (size_t c = 0; c < columns; ++c) values[i * stride + c] = static_cast<T>(draws.normal());
  return values;
}

TEST(DppGains, OuterProductsAgreeWithTheReferenceAndStaySymmetric) {
  for (const size_t dim : std::initializer_list<size_t>{1, 16, 37, 64})
    for (const size_t count : std::initializer_list<size_t>{0, 1, 5, 16}) {
      const size_t width = padded_width(dim);
      auto fast = normals<double>(width, width, width, 1);
      for (size_t r = 0; r < width; ++r)
        for (size_t c = 0; c < r; ++c) fast[r * width + c] = fast[c * width + r];
      auto slow = fast;
      const auto w = normals<double>(count, dim, width, 2);
      subtract_outer_products(fast.data(), width, w.data(), count);
      reference::subtract_outer_products(slow.data(), width, w.data(), count);
      for (size_t r = 0; r < width; ++r)
        for (size_t c = 0; c < width; ++c) {
          EXPECT_NEAR(fast[r * width + c], slow[r * width + c], 1e-13);
          EXPECT_EQ(fast[r * width + c], fast[c * width + r]);
        }
    }
}

TEST(DppGains, QuadraticFormsAgreeWithTheReference) {
  for (const size_t dim : std::initializer_list<size_t>{1, 16, 33, 64, 100})
    for (const size_t n : std::initializer_list<size_t>{1, 2, 4, 5, 11}) {
      const size_t width = padded_width(dim);
      const auto factor = normals<double>(4, dim, width, 3);
      AlignedVector<double> m(width * width, 0.0);
      for (size_t c = 0; c < width; ++c) m[c * width + c] = 100.0;
      reference::subtract_outer_products(m.data(), width, factor.data(), 4);
      AlignedVector<float> folded(width * width, 0.0F);
      fold_symmetric(m.data(), width, folded.data());
      const auto rows = normals<float>(12, dim, width, 4);
      std::vector<uint32_t> index(n);
      for (size_t i = 0; i < n; ++i) index[i] = static_cast<uint32_t>(11 - i);
      std::vector<float> fast(n);
      quadratic_forms(rows.data(), width, index.data(), n, folded.data(), fast.data());
      for (size_t i = 0; i < n; ++i) {
        const double slow = reference::quadratic_form(&rows[index[i] * width], m.data(), width);
        EXPECT_NEAR(fast[i], slow, 2e-6 * 100.0 * static_cast<double>(dim)) << dim << " " << i;
      }
    }
}

}  // namespace
}  // namespace divns
