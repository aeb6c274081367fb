// SPDX-License-Identifier: Apache-2.0
// Lazy dense Adam against dense Adam in float64.
#include "train/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "divns/tensors.h"
#include "support/tables.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::random_table;
using testing::TempFolder;

constexpr uint32_t kAdamRows = 40;
constexpr uint32_t kAdamDim = 12;

struct DenseAdam {
  std::vector<double> p, m, v;
  explicit DenseAdam(const Table& table) : m(kAdamRows * kAdamDim), v(kAdamRows * kAdamDim) {
    for (uint32_t i = 0; i < kAdamRows; ++i)
      p.insert(p.end(), table.row(i), table.row(i) + kAdamDim);
  }
  void step(int t, const std::vector<double>& g) {
    for (size_t x = 0; x < p.size(); ++x) {
      m[x] = 0.9 * m[x] + 0.1 * g[x];
      v[x] = 0.999 * v[x] + 0.001 * g[x] * g[x];
      p[x] -= 1e-3 / (1 - std::pow(0.9, t)) * m[x] /
              (std::sqrt(v[x]) / std::sqrt(1 - std::pow(0.999, t)) + 1e-8);
    }
  }
};

// Runs `steps` steps; row i is touched every period(i) steps, with gradients of the given size. The
// rows touched are read just before, as in training. Returns the largest distance from dense Adam.
double largest_error(int first_step, int steps, double size) {
  const Executor executor(2);
  Table table = random_table(kAdamRows, kAdamDim, 1);
  DenseAdam dense(table);
  Optimizer lazy({}, {&table}, executor);
  Draws draws = Random(2, "gradients").draws();
  const auto period = [](uint32_t row) { return row < 20 ? int(row) + 1 : 3 * int(row) + 30; };
  double worst = 0;
  for (int t = 1; t <= steps; ++t) {
    std::vector<uint32_t> rows;
    for (uint32_t i = 0; i < kAdamRows; ++i)
      if (t % period(i) == int(i) % period(i) || t <= first_step) rows.push_back(i);
    Table gradients(static_cast<uint32_t>(rows.size()), kAdamDim);
    std::vector<double> dense_gradients(kAdamRows * kAdamDim);
    for (size_t j = 0; j < rows.size(); ++j)
      for (uint32_t k = 0; k < kAdamDim; ++k) {
        // Sizes over four orders of magnitude, so that epsilon matters for some.
        const double value = size * std::pow(10, -4 * draws.uniform()) * (draws.below(2) ? 1 : -1);
        gradients.row(j)[k] = static_cast<float>(value);
        dense_gradients[rows[j] * kAdamDim + k] = double{gradients.row(j)[k]};
      }
    lazy.catch_up(0, rows);
    for (const uint32_t row : rows)
      for (uint32_t k = 0; k < kAdamDim; ++k)
        worst = std::max(worst, std::abs(double{table.row(row)[k]} - dense.p[row * kAdamDim + k]));
    lazy.begin_step();
    lazy.step_rows(0, rows, gradients);
    dense.step(t, dense_gradients);
  }
  lazy.catch_up_all();
  for (uint32_t i = 0; i < kAdamRows; ++i)
    for (uint32_t k = 0; k < kAdamDim; ++k)
      worst = std::max(worst, std::abs(double{table.row(i)[k]} - dense.p[i * kAdamDim + k]));
  return worst;
}

TEST(LazyAdam, IsDenseAdamForRowsUntouchedUpTo150Steps) {
  EXPECT_LT(largest_error(1, 200, 0.1), 1e-6);
  EXPECT_LT(largest_error(1, 200, 1e-5), 1e-6);
}

TEST(LazyAdam, StaysDenseAdamBeyondTheReplayedSteps) {
  // Rows stepped 2000 times gather this much by the rounding of float32 parameters alone.
  EXPECT_LT(largest_error(1, 2000, 0.1), 4e-6);
  EXPECT_LT(largest_error(1, 2000, 1e-5), 4e-6);
}

// Epochs in which row i is read and stepped every i + 1 steps: once caught up when it is read, once
// brought there by the step before.
TEST(LazyAdam, RowsBroughtAheadHaveTheBitsOfRowsCaughtUp) {
  const Executor executor(2);
  Table late = random_table(kAdamRows, kAdamDim, 1);
  Table early = late;
  const Table gradient = random_table(kAdamRows, kAdamDim, 2);
  Optimizer lazy({}, {&late}, executor);
  Optimizer foreseeing({}, {&early}, executor);
  // Within the replayed steps, across their end, and with gaps longer than the clock lists.
  for (const uint32_t steps : {100U, 100U, 300U, 7U}) {
    const auto next_read = [&](uint32_t row, uint32_t from) {
      const uint32_t period = row + 1 == kAdamRows ? 290 : row + 1;
      return std::min((from + period - 1) / period * period, steps);
    };
    lazy.begin_epoch(steps);
    foreseeing.begin_epoch(steps);
    std::vector<uint32_t> first_reads;
    for (uint32_t row = 0; row < kAdamRows; ++row) first_reads.push_back(next_read(row, row % 2));
    foreseeing.foresee_all(0, first_reads);
    for (uint32_t t = 0; t < steps; ++t) {
      std::vector<uint32_t> rows;
      for (uint32_t row = 0; row < kAdamRows; ++row)
        if (next_read(row, t) == t && t >= first_reads[row]) rows.push_back(row);
      lazy.catch_up(0, rows);
      for (const uint32_t row : rows)
        for (uint32_t k = 0; k < kAdamDim; ++k) ASSERT_EQ(late.row(row)[k], early.row(row)[k]);
      lazy.begin_step();
      lazy.step_rows(0, rows, gradient);
      foreseeing.begin_step();
      for (size_t j = 0; j < rows.size(); ++j)
        foreseeing.step_row(0, rows[j], gradient.row(j), next_read(rows[j], t + 1));
    }
    const Table at_the_end = early;
    lazy.catch_up_all();
    foreseeing.catch_up_all();
    for (size_t x = 0; x < late.size(); ++x) {
      ASSERT_EQ(late.data()[x], early.data()[x]);
      ASSERT_EQ(at_the_end.data()[x], early.data()[x]);
    }
  }
}

TEST(LazyAdam, MovesOnAfterTheGradientIsGone) {
  const Executor executor(1);
  Table table(1, 1);
  Table gradient(1, 1);
  gradient.row(0)[0] = 0.1F;
  Optimizer optimizer({}, {&table}, executor);
  const std::vector<uint32_t> rows = {0};
  optimizer.begin_step();
  optimizer.step_rows(0, rows, gradient);
  EXPECT_NEAR(table.row(0)[0], -.0010000, 1e-8);
  optimizer.begin_step();
  optimizer.catch_up(0, rows);
  EXPECT_NEAR(table.row(0)[0], -.0016701, 1e-7);
  optimizer.begin_step();
  optimizer.catch_up(0, rows);
  EXPECT_NEAR(table.row(0)[0], -.0021880, 1e-7);
}

// The same gradients in both languages: row i is touched at steps that are multiples of i + 1.
TEST(LazyAdam, AgreesWithPyTorch) {
  if (std::system("/usr/bin/python3 -c 'import torch' 2>/dev/null") != 0)
    GTEST_SKIP() << "/usr/bin/python3 has no torch";
  const TempFolder folder;
  const Executor executor(1);
  Table table(kAdamRows, kAdamDim);
  Optimizer optimizer({}, {&table}, executor);
  for (int t = 1; t <= 200; ++t) {
    std::vector<uint32_t> rows;
    for (uint32_t i = 0; i < kAdamRows; ++i)
      if (t % (int(i) + 1) == 0) rows.push_back(i);
    Table gradients(static_cast<uint32_t>(rows.size()), kAdamDim);
    for (size_t j = 0; j < rows.size(); ++j)
      for (uint32_t k = 0; k < kAdamDim; ++k)
        gradients.row(j)[k] =
            static_cast<float>(0.01 * std::sin(1.1 * t + 0.7 * rows[j] + 0.3 * k));
    optimizer.catch_up(0, rows);
    optimizer.begin_step();
    optimizer.step_rows(0, rows, gradients);
  }
  optimizer.catch_up_all();
  std::string values;
  for (uint32_t i = 0; i < kAdamRows; ++i)
    for (uint32_t k = 0; k < kAdamDim; ++k) values += std::to_string(table.row(i)[k] * 1e6F) + "\n";
  folder.write("values.txt", values);
  folder.write("compare.py", R"(
import math, sys, torch
rows, dim = 40, 12
p = torch.nn.Parameter(torch.zeros(rows, dim))
adam = torch.optim.Adam([p], lr=1e-3)
for t in range(1, 201):
    g = torch.zeros(rows, dim)
    for i in range(rows):
        if t % (i + 1) == 0:
            g[i] = torch.tensor([0.01 * math.sin(1.1 * t + 0.7 * i + 0.3 * k) for k in range(dim)])
    p.grad = g
    adam.step()
ours = torch.tensor([float(x) * 1e-6 for x in open(sys.argv[1])]).reshape(rows, dim)
worst = (ours - p.detach()).abs().max().item()
print("largest difference", worst)
sys.exit(worst > 1e-5)
)");
  const std::string command =
      "/usr/bin/python3 " + folder.file("compare.py") + " " + folder.file("values.txt");
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(Optimizer, SgdAndLazyAdamLeaveUntouchedRowsAlone) {
  const Executor executor(1);
  for (const OptimizerKind kind : {OptimizerKind::kSgd, OptimizerKind::kLazyAdam}) {
    Table table = random_table(2, kAdamDim, 1);
    const Table before = table;
    Optimizer optimizer({.kind = kind}, {&table}, executor);
    const Table gradient = random_table(1, kAdamDim, 2);
    const std::vector<uint32_t> rows = {1};
    for (int t = 0; t < 3; ++t) {
      optimizer.begin_step();
      optimizer.step_rows(0, rows, gradient);
    }
    optimizer.catch_up_all();
    for (uint32_t k = 0; k < kAdamDim; ++k) {
      EXPECT_EQ(table.row(0)[k], before.row(0)[k]);
      const double moved = double{before.row(1)[k]} - double{table.row(1)[k]};
      const double expected = kind == OptimizerKind::kSgd
                                  ? 3e-3 * double{gradient.row(0)[k]}
                                  : std::copysign(3e-3, double{gradient.row(0)[k]});
      EXPECT_NEAR(moved, expected, 2e-7);
    }
  }
}

TEST(Optimizer, GoesOnFromASaveWithTheSameBits) {
  const TempFolder folder;
  const Executor executor(1);
  const Table gradient = random_table(kAdamRows, kAdamDim, 2);
  const auto run = [&](Optimizer& optimizer, int steps) {
    for (int t = 0; t < steps; ++t) {
      std::vector<uint32_t> rows;
      for (uint32_t i = 0; i < kAdamRows; i += 1 + static_cast<uint32_t>(t) % 3) rows.push_back(i);
      optimizer.catch_up(0, rows);
      optimizer.begin_step();
      optimizer.step_rows(0, rows, gradient);
    }
    optimizer.catch_up_all();
  };
  Table whole = random_table(kAdamRows, kAdamDim, 1);
  Table parted = whole;
  Optimizer straight({}, {&whole}, executor);
  run(straight, 30);
  run(straight, 30);
  {
    Optimizer first({}, {&parted}, executor);
    run(first, 30);
    TensorWriter out;
    first.save(out);
    out.write(folder.path() / "state");
  }
  Optimizer second({}, {&parted}, executor);
  second.load(TensorReader(folder.path() / "state"));
  run(second, 30);
  for (size_t x = 0; x < whole.size(); ++x) EXPECT_EQ(whole.data()[x], parted.data()[x]);
}

}  // namespace
}  // namespace divns
