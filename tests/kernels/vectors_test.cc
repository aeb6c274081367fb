// SPDX-License-Identifier: Apache-2.0
#include "kernels/vectors.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/tables.h"

namespace divns {
namespace {

using testing::random_table;

// Widths that take every path: below a vector, odd numbers of vectors, above the register block.
constexpr uint32_t kWidths[] = {1, 8, 20, 24, 64, 72, 136, 200};

TEST(Vectors, DotAndAxpyAgreeWithThePlainLoops) {
  for (const uint32_t dim : kWidths) {
    Table t = random_table(3, dim, dim);
    EXPECT_NEAR(dot(t.row(0), t.row(1), t.stride()), reference::dot(t.row(0), t.row(1), t.stride()),
                1e-5);
    std::vector<float> expected(t.row(2), t.row(2) + t.stride());
    reference::axpy(0.3F, t.row(0), expected.data(), t.stride());
    axpy(0.3F, t.row(0), t.row(2), t.stride());
    for (uint32_t k = 0; k < t.stride(); ++k) EXPECT_NEAR(t.row(2)[k], expected[k], 1e-6);
  }
}

TEST(Vectors, GatherScoresAreTheBitsOfDot) {
  const Table t = random_table(50, 64, 1);
  const std::vector<uint32_t> ids = {3, 3, 49, 0, 17, 20, 21, 5, 6, 7};
  std::vector<float> scores(ids.size());
  gather_scores(t.row(9), t.view(), ids.data(), ids.size(), scores.data());
  for (size_t j = 0; j < ids.size(); ++j)
    EXPECT_EQ(scores[j], dot(t.row(9), t.row(ids[j]), t.stride()));
}

TEST(Vectors, GatherSumAgreesWithThePlainLoop) {
  for (const uint32_t dim : kWidths) {
    const Table t = random_table(40, dim, dim);
    for (const size_t count : {0U, 1U, 5U, 100U}) {
      std::vector<uint32_t> ids(count);
      std::vector<float> weights(count);
      for (size_t j = 0; j < count; ++j) {
        ids[j] = static_cast<uint32_t>(j * 7 % 40);
        weights[j] = 0.1F * static_cast<float>(j % 9) - 0.3F;
      }
      std::vector<float> out(t.stride(), 9);
      std::vector<float> expected(t.stride());
      gather_sum(t.view(), ids.data(), weights.data(), count, out.data());
      reference::gather_sum(t.view(), ids.data(), weights.data(), count, expected.data());
      for (uint32_t k = 0; k < t.stride(); ++k) EXPECT_NEAR(out[k], expected[k], 2e-6);
      // The first 8 columns alone: the rest of `out` stays as it is.
      std::vector<float> part(t.stride() + 8, 9);
      VectorTable columns = t.view();
      columns.dim = std::min(columns.dim, 8U);
      gather_sum(columns, ids.data(), weights.data(), count, part.data());
      for (uint32_t k = 0; k < part.size(); ++k)
        EXPECT_EQ(part[k], k < padded(columns.dim) ? out[k] : 9) << k;
    }
  }
}

}  // namespace
}  // namespace divns
