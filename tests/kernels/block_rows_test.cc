// SPDX-License-Identifier: Apache-2.0
#include "kernels/block_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "divns/random.h"

namespace divns {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

// Some entries do not count.
std::vector<float> row_of_scores(size_t n, float most) {
  Draws draws = Random(6, "block rows").draws(static_cast<uint32_t>(n));
  std::vector<float> x(n);
  for (float& value : x)
    value = draws.below(5) == 0 ? kNone : most * (2 * draws.uniform_float() - 1);
  return x;
}

std::vector<float> positive_weights(size_t n) {
  Draws draws = Random(7, "block weights").draws(static_cast<uint32_t>(n));
  std::vector<float> weights(n);
  for (float& value : weights) value = 0.1F + draws.uniform_float();
  return weights;
}

void expect_close(const std::vector<float>& found, const std::vector<float>& expected) {
  for (size_t j = 0; j < found.size(); ++j)
    ASSERT_NEAR(found[j], expected[j], 2e-6 * (1 + std::abs(expected[j]))) << j;
}

TEST(BlockRows, TheLargestOfARow) {
  EXPECT_EQ(largest_of_row(nullptr, 0), kNone);
  for (const size_t n : {1U, 7U, 8U, 9U, 100U}) {
    const std::vector<float> x = row_of_scores(n, 3);
    EXPECT_EQ(largest_of_row(x.data(), n), *std::max_element(x.begin(), x.end()));
  }
}

TEST(BlockRows, ExponentialsAgreeWithTheReference) {
  for (const size_t n : {1U, 7U, 8U, 9U, 100U, 1023U})
    for (const bool weighted : {false, true})
      for (const float scale : {0.5F, 10.0F, 1000.0F}) {
        auto found = row_of_scores(n, 2);
        auto expected = found;
        const auto weights = positive_weights(n);
        const float* logs = weighted ? weights.data() : nullptr;
        const float top = 2;
        const float sum = exponentials(scale, top, logs, found.data(), n);
        const float expected_sum = reference::exponentials(scale, top, logs, expected.data(), n);
        EXPECT_NEAR(sum, expected_sum, 2e-6F * (1 + expected_sum));
        expect_close(found, expected);
      }
}

TEST(BlockRows, SoftplusAndPositivePartAgreeWithTheReference) {
  for (const size_t n : {1U, 7U, 8U, 9U, 100U, 1023U})
    for (const bool weighted : {false, true})
      for (const float most : {1.0F, 50.0F, 1e30F})
        for (const bool smooth : {false, true}) {
          auto found = row_of_scores(n, most);
          auto expected = found;
          const auto weights = positive_weights(n);
          const float* given = weighted ? weights.data() : nullptr;
          const SumAndSlope a = smooth ? softplus_row(-0.25F, given, found.data(), n)
                                       : positive_part_row(-0.25F, given, found.data(), n);
          const SumAndSlope b =
              smooth ? reference::softplus_row(-0.25F, given, expected.data(), n)
                     : reference::positive_part_row(-0.25F, given, expected.data(), n);
          EXPECT_NEAR(a.sum, b.sum, 3e-6F * (1 + b.sum));
          EXPECT_NEAR(a.slope, b.slope, 3e-6F * (1 + b.slope));
          expect_close(found, expected);
        }
}

TEST(BlockRows, EntriesThatDoNotCountBecomeZero) {
  std::vector<float> x(19, kNone);
  x[3] = 1;
  auto a = x;
  EXPECT_EQ(exponentials(2, 1, nullptr, a.data(), a.size()), 1);
  auto b = x;
  softplus_row(0, nullptr, b.data(), b.size());
  auto c = x;
  positive_part_row(0, nullptr, c.data(), c.size());
  for (size_t j = 0; j < x.size(); ++j)
    if (j != 3) {
      EXPECT_EQ(a[j], 0);
      EXPECT_EQ(b[j], 0);
      EXPECT_EQ(c[j], 0);
    }
}

}  // namespace
}  // namespace divns
