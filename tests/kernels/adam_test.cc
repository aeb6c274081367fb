// SPDX-License-Identifier: Apache-2.0
#include "kernels/adam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tables.h"

namespace divns {
namespace {

using testing::random_table;

constexpr size_t kWidth = 24;
constexpr AdamStep kStep{.beta1 = 0.9F,
                         .beta2 = 0.999F,
                         .rest1 = 0.1F,
                         .rest2 = 0.001F,
                         .rate = 0.002F,
                         .root = 1.7F,
                         .epsilon = 1e-8F};

// Row 0 holds the parameters, 1 the first moments, 2 the second, 3 the gradient.
Table sample() {
  Table t = random_table(4, kWidth, 2);
  for (size_t k = 0; k < kWidth; ++k) t.row(2)[k] = std::abs(t.row(2)[k]) * 1e-3F;
  return t;
}

void expect_same(const Table& a, const Table& b) {
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-6) << i;
}

TEST(AdamKernel, StepAgreesWithThePlainLoop) {
  Table fast = sample();
  Table plain = sample();
  adam_step(kStep, fast.row(3), fast.row(0), fast.row(1), fast.row(2), kWidth);
  reference::adam_step(kStep, plain.row(3), plain.row(0), plain.row(1), plain.row(2), kWidth);
  expect_same(fast, plain);
}

// Widths of rows without padding, as samplers have them.
TEST(AdamKernel, StepTakesAnyWidth) {
  for (size_t width = 0; width <= kWidth; ++width) {
    Table fast = sample();
    Table plain = sample();
    adam_step(kStep, fast.row(3), fast.row(0), fast.row(1), fast.row(2), width);
    reference::adam_step(kStep, plain.row(3), plain.row(0), plain.row(1), plain.row(2), width);
    expect_same(fast, plain);
  }
}

TEST(AdamKernel, CatchUpAgreesWithThePlainLoop) {
  Table fast = sample();
  Table plain = sample();
  const float weights[] = {1e-3F, 8e-4F, 7e-4F};
  const float roots[] = {1.5F, 1.4F, 1.3F};
  const AdamCatchUp steps{
      .weights = weights, .roots = roots, .m_decay = 0.729F, .v_decay = 0.997F, .epsilon = 1e-8F};
  adam_catch_up(steps, fast.row(0), fast.row(1), fast.row(2), kWidth);
  reference::adam_catch_up(steps, plain.row(0), plain.row(1), plain.row(2), kWidth);
  expect_same(fast, plain);
}

TEST(AdamKernel, OnePassHasTheBitsOfStepAndCatchUp) {
  Table fast = sample();
  Table parted = sample();
  Table plain = sample();
  const float weights[] = {1e-3F, 8e-4F, 7e-4F};
  const float roots[] = {1.5F, 1.4F, 1.3F};
  const AdamCatchUp gap{
      .weights = weights, .roots = roots, .m_decay = 0.729F, .v_decay = 0.997F, .epsilon = 1e-8F};
  adam_step_then_catch_up(kStep, gap, fast.row(3), fast.row(0), fast.row(1), fast.row(2), kWidth);
  adam_step(kStep, parted.row(3), parted.row(0), parted.row(1), parted.row(2), kWidth);
  adam_catch_up(gap, parted.row(0), parted.row(1), parted.row(2), kWidth);
  for (size_t i = 0; i < fast.size(); ++i) EXPECT_EQ(fast.data()[i], parted.data()[i]) << i;
  reference::adam_step(kStep, plain.row(3), plain.row(0), plain.row(1), plain.row(2), kWidth);
  reference::adam_catch_up(gap, plain.row(0), plain.row(1), plain.row(2), kWidth);
  expect_same(fast, plain);
}

TEST(AdamKernel, UntouchedZerosStayZero) {
  Table t(4, kWidth);
  adam_step(kStep, t.row(3), t.row(0), t.row(1), t.row(2), kWidth);
  for (size_t i = 0; i < t.size(); ++i) EXPECT_EQ(t.data()[i], 0);
}

}  // namespace
}  // namespace divns
