// SPDX-License-Identifier: Apache-2.0
#include "models/ials.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/transposed.h"
#include "divns/options.h"
#include "divns/random.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

double score(const Table& users, const Table& items, uint32_t u, uint32_t i) {
  double sum = 0;
  for (uint32_t k = 0; k < users.dim(); ++k) sum += double{users.row(u)[k]} * items.row(i)[k];
  return sum;
}

double squared(const float* row, uint32_t dim) {
  double sum = 0;
  for (uint32_t k = 0; k < dim; ++k) sum += double{row[k]} * row[k];
  return sum;
}

// As ials.h writes it, over all users and items, in float64.
double objective(const IalsOptions& options, const Interactions& train, const Table& users,
                 const Table& items) {
  const Transposed by_item(train);
  double sum = 0;
  for (uint32_t u = 0; u < train.users(); ++u) {
    for (uint32_t i = 0; i < train.item_count; ++i)
      sum += options.alpha0 * std::pow(score(users, items, u, i), 2);
    for (const uint32_t i : train.row(u)) sum += std::pow(1 - score(users, items, u, i), 2);
  }
  const auto pull = [&](size_t pairs, uint32_t others) {
    return options.l2 * std::pow(static_cast<double>(pairs) + options.alpha0 * others, options.nu);
  };
  for (uint32_t u = 0; u < train.users(); ++u)
    sum += pull(train.row(u).size(), train.item_count) * squared(users.row(u), users.dim());
  for (uint32_t i = 0; i < train.item_count; ++i)
    sum += pull(by_item.view().row(i).size(), train.users()) * squared(items.row(i), items.dim());
  return sum;
}

struct Case {
  int factors;
  double alpha0, l2, nu;
};
const std::vector<Case> kCases = {
    {1, 0.1, 0.1, 1}, {5, 0.3, 0.02, 0.5}, {16, 0.02, 0.05, 0}, {30, 0.1, 0.01, 1}};

IalsOptions options_of(const Case& one) {
  IalsOptions options;
  options.factors = one.factors;
  options.alpha0 = one.alpha0;
  options.l2 = one.l2;
  options.nu = one.nu;
  return options;
}

TEST(Ials, EveryHalfStepLowersTheObjective) {
  const OwnedInteractions pairs = random_interactions(70, 50, 6, 3);
  const Interactions train = pairs.view();
  const Transposed by_item(train);
  const Executor executor(2);
  for (const Case& one : kCases) {
    const IalsOptions options = options_of(one);
    const auto dim = static_cast<uint32_t>(one.factors);
    Table users = testing::random_table(train.users(), dim, 1);
    Table items = testing::random_table(train.item_count, dim, 2);
    double last = objective(options, train, users, items);
    for (int half = 0; half < 10; ++half) {
      if (half % 2 == 0)
        solve_ials_rows(options, train, items, users, executor);
      else
        solve_ials_rows(options, by_item.view(), users, items, executor);
      const double now = objective(options, train, users, items);
      EXPECT_LT(now, last * (1 + 1e-6)) << one.factors << " factors, half-step " << half;
      last = now;
    }
  }
}

TEST(Ials, ASolvedRowHasNoSlope) {
  const OwnedInteractions pairs = random_interactions(5, 600, 600, 4);
  const Interactions train = pairs.view();
  size_t longest = 0;
  for (uint32_t u = 0; u < train.users(); ++u) longest = std::max(longest, train.row(u).size());
  ASSERT_GT(longest, 256U) << "a row must not fit into one gathered block";
  const Executor executor(2);
  for (const Case& one : kCases) {
    const IalsOptions options = options_of(one);
    const auto dim = static_cast<uint32_t>(one.factors);
    Table users(train.users(), dim);
    const Table items = testing::random_table(train.item_count, dim, 5);
    solve_ials_rows(options, train, items, users, executor);
    const double here = objective(options, train, users, items);
    for (uint32_t u = 0; u < train.users(); ++u) {
      Table moved = users;
      for (uint32_t k = 0; k < dim; ++k) {
        // The objective is a parabola in one coordinate: its curvature scales the slope.
        constexpr float kStep = 0.125F;
        moved.row(u)[k] = users.row(u)[k] + kStep;
        const double above = objective(options, train, moved, items);
        moved.row(u)[k] = users.row(u)[k] - kStep;
        const double below = objective(options, train, moved, items);
        moved.row(u)[k] = users.row(u)[k];
        EXPECT_NEAR((above - below) / (above + below - 2 * here), 0, 1e-3)
            << one.factors << " factors, user " << u << ", column " << k;
      }
    }
  }
}

TEST(Ials, RowsWithoutPairsAreZero) {
  const OwnedInteractions pairs = random_interactions(30, 20, 4, 5);  // user 0, last item are cold
  const Executor executor(1);
  const auto model = make_ials();
  model->fit({pairs.view(), executor});
  const Scorer scorer = model->scorer();
  EXPECT_EQ(squared(scorer.users.row(0), scorer.users.dim), 0);
  EXPECT_EQ(squared(scorer.items.row(19), scorer.items.dim), 0);
  EXPECT_GT(squared(scorer.users.row(1), scorer.users.dim), 0);
}

TEST(Ials, KeepsTheBestEpochAndStopsWhenNoneBetterComes) {
  const OwnedInteractions pairs = random_interactions(30, 20, 4, 6);
  const Executor executor(1);
  const auto model = make_ials();
  Options options;
  model->declare(options);
  options.set("ials.epochs", "50", OptionSource::kSet);
  options.set("ials.patience", "2", OptionSource::kSet);
  const std::vector<double> metrics = {.1, .3, .2, .4, .3, .4};
  std::vector<float> first_element;
  const FitReport report = model->fit(
      {.train = pairs.view(), .executor = executor, .validate = [&](const Scorer& scorer) {
         first_element.push_back(scorer.users.row(1)[0]);
         return metrics[first_element.size() - 1];
       }});
  EXPECT_EQ(report.epochs, 6U);
  EXPECT_EQ(report.best_epoch, 3U);
  EXPECT_TRUE(report.validated);
  EXPECT_EQ(report.best_metric, .4);
  EXPECT_EQ(model->scorer().users.row(1)[0], first_element[3]);
}

TEST(Ials, RefusesWhatFloat32CannotSolve) {
  const OwnedInteractions pairs = random_interactions(30, 20, 4, 7);
  IalsOptions options;
  options.factors = 4;
  options.l2 = 1e-60;  // 0 in float32
  Table users(30, 4);
  const Table items(20, 4);  // zero
  const Executor executor(1);
  EXPECT_ERROR(solve_ials_rows(options, pairs.view(), items, users, executor), "Raise ials.l2");
}

}  // namespace
}  // namespace divns
