// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <vector>

#include "divns/random.h"

namespace divns {
namespace {

std::vector<float> random_values(size_t n, uint32_t stream) {
  Draws draws = Random(3, "gemm").draws(stream);
  std::vector<float> values(n);
  for (float& x : values) x = 2 * draws.uniform_float() - 1;
  return values;
}

TEST(Gemm, AgreesWithTheReferenceForEveryShapeAndLayout) {
  const size_t shapes[][3] = {{1, 1, 1},   {5, 16, 3},  {6, 17, 64},   {13, 31, 300},
                              {64, 64, 1}, {7, 8, 513}, {12, 100, 20}, {3, 5, 0}};
  for (const auto& [m, n, k] : shapes)
    for (const bool turn_a : {false, true})
      for (const bool turn_b : {false, true})
        for (const bool add : {false, true}) {
          const auto a_values = random_values(m * k + 1, 1);
          const auto b_values = random_values(k * n + 1, 2);
          const MatrixView a = turn_a ? MatrixView{a_values.data(), k, m, m}.transposed()
                                      : MatrixView{a_values.data(), m, k, k};
          const MatrixView b = turn_b ? MatrixView{b_values.data(), n, k, k}.transposed()
                                      : MatrixView{b_values.data(), k, n, n};
          const size_t step = n + 3;
          auto found = random_values(m * step, 4);
          auto expected = found;
          gemm(a, b, found.data(), step, add);
          reference::gemm(a, b, expected.data(), step, add);
          for (size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], expected[i], 2e-5) << m << " " << n << " " << k << " at " << i;
        }
}

TEST(Gemm, APackedFactorGivesTheSameBits) {
  const size_t shapes[][3] = {{1, 1, 1}, {6, 17, 64}, {13, 31, 300}, {64, 40, 70}, {7, 64, 513}};
  for (const auto& [m, n, k] : shapes)
    for (const bool turned : {false, true})
      for (const bool add : {false, true}) {
        const auto a_values = random_values(m * k, 1);
        const auto b_values = random_values(k * n, 2);
        const MatrixView a{a_values.data(), m, k, k};
        const MatrixView b = turned ? MatrixView{b_values.data(), n, k, k}.transposed()
                                    : MatrixView{b_values.data(), k, n, n};
        PackedMatrix packed;
        packed.pack(b);
        auto found = random_values(m * n, 4);
        auto expected = found;
        gemm(a, packed, found.data(), n, add);
        gemm(a, b, expected.data(), n, add);
        EXPECT_EQ(found, expected) << m << " " << n << " " << k;
      }
}

TEST(Gemm, ARowHasTheSameBitsWhereverItStands) {
  constexpr size_t kRows = 29;
  constexpr size_t kColumns = 40;
  constexpr size_t kInner = 300;
  const auto a = random_values(kRows * kInner, 1);
  const auto b = random_values(kInner * kColumns, 2);
  const MatrixView right{b.data(), kInner, kColumns, kColumns};
  std::vector<float> whole(kRows * kColumns);
  gemm({a.data(), kRows, kInner, kInner}, right, whole.data(), kColumns);
  for (size_t i = 0; i < kRows; ++i) {
    std::vector<float> alone(kColumns);
    gemm({a.data() + i * kInner, 1, kInner, kInner}, right, alone.data(), kColumns);
    EXPECT_EQ(alone,
              std::vector<float>(whole.begin() + static_cast<ptrdiff_t>(i * kColumns),
                                 whole.begin() + static_cast<ptrdiff_t>((i + 1) * kColumns)));
  }
}

}  // namespace
}  // namespace divns
