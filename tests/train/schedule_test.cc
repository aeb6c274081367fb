// SPDX-License-Identifier: Apache-2.0
// Learning-rate schedules, and lazy dense Adam under a schedule against the plain recurrence.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/tables.h"
#include "train/config.h"
#include "train/optimizer.h"
#include "train/rate_schedule.h"

namespace divns {
namespace {

TEST(RateSchedule, WarmsUpAndFalls) {
  const RateSchedule constant;
  EXPECT_EQ(constant.factor(1), 1);
  EXPECT_EQ(constant.factor(1000), 1);
  const RateSchedule warm{.warmup_steps = 3, .total_steps = 10};
  EXPECT_DOUBLE_EQ(warm.factor(1), 0.25);
  EXPECT_DOUBLE_EQ(warm.factor(3), 0.75);
  EXPECT_EQ(warm.factor(4), 1);
  EXPECT_EQ(warm.factor(10), 1);
  const RateSchedule linear{.decay = RateDecay::kLinear, .warmup_steps = 2, .total_steps = 9};
  EXPECT_DOUBLE_EQ(linear.factor(3), 7.0 / 8);
  EXPECT_DOUBLE_EQ(linear.factor(9), 1.0 / 8);
  const RateSchedule cosine{.decay = RateDecay::kCosine, .total_steps = 9};
  EXPECT_DOUBLE_EQ(cosine.factor(5), 0.5);
  for (uint64_t step = 1; step <= 9; ++step) {
    EXPECT_GT(cosine.factor(step), 0);
    EXPECT_LT(cosine.factor(step), step == 1 ? 1 : cosine.factor(step - 1));
  }
}

TEST(RateSchedule, CountsEpochs) {
  TrainConfig config;
  config.epochs = 6;
  config.warmup_epochs = 0.5;
  config.schedule = RateDecay::kCosine;
  const RateSchedule schedule = config.scheduled_optimizer(5).schedule;
  EXPECT_EQ(schedule.warmup_steps, 3U);
  EXPECT_EQ(schedule.total_steps, 30U);
}

// Rows with a gradient every few steps, one long gap among them.
TEST(RateSchedule, LazyAdamFollowsTheDenseRecurrence) {
  constexpr uint32_t kRows = 6;
  constexpr int kSteps = 300;
  const OptimizerOptions options{
      .learning_rate = 0.01,
      .schedule = {.decay = RateDecay::kCosine, .warmup_steps = 20, .total_steps = kSteps}};
  Table table = testing::random_table(kRows, 8, 1);
  std::vector<double> p(table.data(), table.data() + table.size());
  std::vector<double> m(p.size(), 0);
  std::vector<double> v(p.size(), 0);
  const Executor executor(1);
  Optimizer optimizer(options, {&table}, executor);
  optimizer.begin_epoch(kSteps);
  for (int step = 1; step <= kSteps; ++step) {
    std::vector<uint32_t> rows;
    for (uint32_t i = 0; i < kRows; ++i)
      if (step % static_cast<int>(1 + 17 * i) == 0) rows.push_back(i);
    Table gradients = testing::random_table(static_cast<uint32_t>(rows.size()), 8,
                                            static_cast<uint32_t>(100 + step));
    optimizer.catch_up(0, rows);
    optimizer.begin_step();
    optimizer.step_rows(0, rows, gradients);
    const double rate = 0.01 * options.schedule.factor(static_cast<uint64_t>(step));
    for (size_t x = 0; x < p.size(); ++x) {
      const auto at = std::find(rows.begin(), rows.end(), x / 8);
      const double g = at == rows.end()
                           ? 0
                           : double{gradients.row(static_cast<size_t>(at - rows.begin()))[x % 8]};
      m[x] = 0.9 * m[x] + 0.1 * g;
      v[x] = 0.999 * v[x] + 0.001 * g * g;
      p[x] -= rate / (1 - std::pow(0.9, step)) * m[x] /
              (std::sqrt(v[x] / (1 - std::pow(0.999, step))) + 1e-8);
    }
  }
  optimizer.catch_up_all();
  for (size_t x = 0; x < p.size(); ++x) EXPECT_NEAR(table.data()[x], p[x], 2e-5) << x;
}

}  // namespace
}  // namespace divns
