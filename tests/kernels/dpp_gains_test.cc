// SPDX-License-Identifier: Apache-2.0
#include "kernels/dpp_gains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <vector>

#include "divns/aligned.h"
#include "divns/random.h"
#include "kernels/row_dots.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::normals;

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

TEST(DppGains, CombinationsAreSubtracted) {
  const size_t dim = 37, width = padded_width(dim), count = 5;
  const auto w = normals<double>(count, dim, width, 5);
  auto y = normals<double>(1, dim, width, 6);
  auto expected = y;
  const std::vector<double> coefficients = {1, -2, 0.5, 0, 3};
  for (size_t s = 0; s < count; ++s)
    for (size_t c = 0; c < width; ++c) expected[c] -= coefficients[s] * w[s * width + c];
  subtract_combination(y.data(), width, w.data(), count, coefficients.data());
  for (size_t c = 0; c < width; ++c) EXPECT_NEAR(y[c], expected[c], 1e-13);
}

TEST(DppGains, SquaredDotsAreSubtractedAndTheLargestReturned) {
  const size_t dim = 20, width = padded_width(dim);
  const auto rows = normals<float>(200, dim, width, 7);
  const auto w = normals<float>(1, dim, width, 8);
  for (const size_t n : std::initializer_list<size_t>{0, 1, 7, 64, 65, 130}) {
    std::vector<uint32_t> index(n);
    std::vector<float> residual(n), expected(n);
    float largest = -std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < n; ++i) {
      index[i] = static_cast<uint32_t>(199 - i);
      float dot = 0;
      reference::row_dots(&rows[index[i] * width], width, 1, w.data(), &dot);
      residual[i] = static_cast<float>(i);
      expected[i] = residual[i] - dot * dot;
    }
    const float found =
        subtract_squared_dots(rows.data(), width, index.data(), n, w.data(), residual.data());
    for (size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(residual[i], expected[i], 1e-3);
      largest = std::max(largest, residual[i]);
    }
    EXPECT_EQ(found, largest) << n;
  }
}

TEST(DppGains, SquaresAreSubtractedFromWhatIsPositive) {
  for (const size_t n : std::initializer_list<size_t>{0, 1, 4, 7, 13}) {
    std::vector<double> residual(n), value(n);
    for (size_t i = 0; i < n; ++i) {
      residual[i] = i % 3 == 0 ? -1 : static_cast<double>(i);
      value[i] = i % 2 == 0 ? 0.5 : 10;
    }
    subtract_squares(residual.data(), value.data(), n);
    for (size_t i = 0; i < n; ++i) {
      const double left = std::max(static_cast<double>(i) - value[i] * value[i], 0.0);
      EXPECT_EQ(residual[i], i % 3 == 0 ? -1 : left) << i;
    }
  }
}

TEST(DppGains, SelectAboveFindsAllPlacesInOrder) {
  Draws draws = Random(7, "dpp_gains_test").draws();
  for (const size_t n : std::initializer_list<size_t>{0, 1, 8, 19, 100}) {
    std::vector<float> values(n);
    for (float& value : values) value = draws.uniform_float();
    for (const float threshold : {-1.0F, 0.3F, 0.95F, 2.0F}) {
      std::vector<uint32_t> expected, found(n + 16);
      for (size_t i = 0; i < n; ++i)
        if (values[i] > threshold) expected.push_back(static_cast<uint32_t>(i));
      found.resize(select_above(values.data(), n, threshold, found.data()));
      EXPECT_EQ(found, expected) << n << " " << threshold;
    }
  }
}

TEST(DppGains, CatchUpAppliesWhatWasMissedAndStopsEarly) {
  const size_t dim = 24, width = padded_width(dim);
  constexpr uint32_t kCount = 10;
  const auto rows = normals<float>(6, dim, width, 9);
  auto history = normals<float>(kCount + 3, dim, width, 10);
  std::fill(history.begin() + kCount * static_cast<ptrdiff_t>(width), history.end(), 0.0F);
  const std::vector<uint32_t> index = {5, 0, 3};
  const auto loss = [&](size_t row, uint32_t s) {
    float dot = 0;
    reference::row_dots(&rows[row * width], width, 1, &history[s * width], &dot);
    return dot * dot;
  };
  std::vector<uint32_t> version = {0, 3, 10};
  std::vector<float> residual(3, 1e4F);
  catch_up(rows.data(), width, index.data(), 3, history.data(), kCount, 0, version.data(),
           residual.data());
  for (size_t i = 0; i < 3; ++i) {
    float expected = 1e4F;
    for (uint32_t s = std::vector<uint32_t>{0, 3, 10}[i]; s < kCount; ++s)
      expected -= loss(index[i], s);
    EXPECT_NEAR(residual[i], expected, 0.05);
    EXPECT_EQ(version[i], kCount);
  }
  // Enough after the first four.
  version = {0, 0, 0};
  residual.assign(3, 1.0F);
  catch_up(rows.data(), width, index.data(), 3, history.data(), kCount, 0.999F, version.data(),
           residual.data());
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(version[i], 4U);
    float expected = 1;
    for (uint32_t s = 0; s < 4; ++s) expected -= loss(index[i], s);
    EXPECT_NEAR(residual[i], expected, 1e-3);
  }
}

}  // namespace
}  // namespace divns
