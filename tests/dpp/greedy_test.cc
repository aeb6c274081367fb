// SPDX-License-Identifier: Apache-2.0
#include "dpp/greedy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "divns/dpp.h"
#include "dpp/reference.h"
#include "support/errors.h"
#include "support/worked_example.h"

namespace divns {
namespace {

using testing::DenseGreedy;
using testing::error_of;
using testing::make_rows;
using testing::normal_rows;

constexpr DppAlgorithm kForms[] = {DppAlgorithm::kUpdates, DppAlgorithm::kLazy,
                                   DppAlgorithm::kCholesky, DppAlgorithm::kAuto};

Picks run(const FeatureRows& rows, size_t k, DppAlgorithm algorithm,
          RankPolicy policy = RankPolicy::kJitter, double jitter = 1e-6) {
  DppConfig config;
  config.algorithm = algorithm;
  config.rank_policy = policy;
  config.jitter = jitter;
  GreedyScratch scratch;
  Picks picks;
  greedy(rows, k, config, scratch, picks);
  return picks;
}

std::vector<uint32_t> order(const Picks& picks) {
  return {picks.rows.begin(), picks.rows.end()};
}

// The six items of the worked example; G = {0, 2, 3, 5}, H = {4, 1}.
const VectorTable& kTable = testing::kExampleItemTable;

std::vector<float> rows_of(const std::vector<uint32_t>& ids) {
  std::vector<float> values;
  for (const uint32_t id : ids) values.insert(values.end(), kTable.row(id), kTable.row(id) + 2);
  return values;
}

TEST(DppPenalty, WorkedExample) {
  const auto ground = rows_of({0, 2, 3, 5}), hard = rows_of({4, 1}), repeated = rows_of({4, 4, 1});
  const VectorTable g{ground.data(), 4, 2, 2};
  const std::vector<double> q = dpp_penalty(g, {hard.data(), 2, 2, 2});
  const std::vector<double> expected = {.2743947, 1.2347180, .8888094, 1.4336217};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(q[i], expected[i], 1e-7);
  const std::vector<double> twice = dpp_penalty(g, {repeated.data(), 3, 2, 2});
  const std::vector<double> expected_twice = {.2136100, 1.4423096, .6727874, 1.2547814};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(twice[i], expected_twice[i], 1e-7);
  EXPECT_EQ(dpp_penalty(g, {}), std::vector<double>(4, 1.0));
}

TEST(DppGreedy, WorkedExampleWithJitter) {
  const auto ground = rows_of({0, 2, 3, 5}), hard = rows_of({4, 1});
  const VectorTable g{ground.data(), 4, 2, 2};
  const auto q = dpp_penalty(g, {hard.data(), 2, 2, 2});
  for (const DppAlgorithm form : kForms) {
    DppConfig config;
    config.algorithm = form;
    const DppSelection chosen = dpp_greedy(g, q, 3, config);
    EXPECT_EQ(chosen.items, (std::vector<uint32_t>{3, 1, 2}));  // items 5, 2, 3
    EXPECT_NEAR(chosen.gains[0], 2.0552711, 2e-6);
    EXPECT_NEAR(chosen.gains[1], .9756982, 2e-6);
    EXPECT_NEAR(chosen.gains[2], 1.4003696e-6, 1e-11);
    EXPECT_NEAR(std::exp(chosen.log_det), 2.8082e-6, 1e-9);
  }
}

TEST(DppGreedy, RankPoliciesOnTheWorkedExample) {
  const auto ground = rows_of({0, 2, 3, 5}), hard = rows_of({4, 1});
  const VectorTable g{ground.data(), 4, 2, 2};
  const auto q = dpp_penalty(g, {hard.data(), 2, 2, 2});
  for (const DppAlgorithm form : kForms) {
    DppConfig config;
    config.algorithm = form;
    config.rank_policy = RankPolicy::kStop;
    const DppSelection stopped = dpp_greedy(g, q, 4, config);
    EXPECT_EQ(stopped.items, (std::vector<uint32_t>{3, 1}));
    EXPECT_NEAR(std::exp(stopped.log_det), 2.0053243, 1e-6);
    config.rank_policy = RankPolicy::kRounds;
    const DppSelection rounds = dpp_greedy(g, q, 4, config);
    // The second round begins with the larger of what is left.
    EXPECT_EQ(rounds.items, (std::vector<uint32_t>{3, 1, 2, 0}));
    EXPECT_NEAR(rounds.gains[2], .7899822, 1e-6);
  }
}

// Sizes of the specification's own checks.
TEST(DppGreedy, FormsEqualTheDenseReferenceFarBeyondTheRank) {
  const struct {
    size_t n, dim, k;
    double jitter;
  } cases[] = {{12, 3, 6, 1e-2}, {20, 8, 8, 1e-6}, {30, 4, 12, 1e-3}, {200, 16, 64, 1e-6}};
  for (const auto& c : cases) {
    const FeatureRows rows = normal_rows(c.n, c.dim, static_cast<uint32_t>(c.n), true);
    DenseGreedy<long double> dense(
        testing::dense_kernel<long double>(rows, static_cast<long double>(c.jitter)), c.n);
    std::vector<uint32_t> expected;
    std::vector<double> gains;
    for (size_t t = 0; t < c.k; ++t) {
      const size_t best = dense.best();
      expected.push_back(static_cast<uint32_t>(best));
      gains.push_back(static_cast<double>(dense.gain(best)));
      dense.choose(best);
    }
    for (const DppAlgorithm form : kForms) {
      const Picks picks = run(rows, c.k, form, RankPolicy::kJitter, c.jitter);
      EXPECT_EQ(order(picks), expected) << c.n << " " << static_cast<int>(form);
      for (size_t t = 0; t < c.k; ++t)
        EXPECT_NEAR(picks.gains[t] / gains[t], 1, 1e-7) << c.n << " " << t;
    }
  }
}

TEST(DppGreedy, LargeProblemTakesTheSameOrderInAllForms) {
  const FeatureRows rows = normal_rows(1500, 32, 7, true);
  const auto expected = order(run(rows, 600, DppAlgorithm::kUpdates));
  EXPECT_EQ(order(run(rows, 600, DppAlgorithm::kLazy)), expected);
  EXPECT_EQ(order(run(rows, 600, DppAlgorithm::kCholesky)), expected);
}

TEST(DppGreedy, LogDetIsThatOfTheChosenRows) {
  const FeatureRows rows = normal_rows(40, 6, 8, true);
  const Picks picks = run(rows, 12, DppAlgorithm::kLazy, RankPolicy::kJitter, 1e-3);
  const auto kernel = testing::dense_kernel<double>(rows, 1e-3);
  std::vector<double> minor;
  for (const uint32_t i : picks.rows)
    for (const uint32_t j : picks.rows) minor.push_back(kernel[i * rows.size() + j]);
  double sum = 0;
  for (const double gain : picks.gains) sum += std::log(gain);
  EXPECT_NEAR(sum, std::log(testing::determinant(minor, 12)), 1e-8);
}

TEST(DppGreedy, EqualGainsGoToTheLowerRow) {
  // Unit vectors in fifty directions: without a penalty every first gain is 1.
  Draws draws = Random(3, "ties").draws();
  std::vector<float> values(50 * 16);
  for (float& x : values) x = static_cast<float>(draws.normal());
  const VectorTable table{values.data(), 50, 16, 16};
  for (const DppAlgorithm form : kForms) {
    DppConfig config;
    config.algorithm = form;
    EXPECT_EQ(dpp_greedy(table, {}, 1, config).items[0], 0U);
  }
  // Copies: the first of each kind, then the jitter's ties in order.
  const FeatureRows rows =
      make_rows({{0, 1, 0}, {2, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 3}, {0, 0, 3}});
  for (const DppAlgorithm form : kForms)
    EXPECT_EQ(order(run(rows, 3, form)), (std::vector<uint32_t>{4, 1, 0}));
}

TEST(DppGreedy, OddInputsAreLegal) {
  for (const DppAlgorithm form : kForms)
    for (const RankPolicy policy : {RankPolicy::kJitter, RankPolicy::kRounds, RankPolicy::kStop}) {
      const bool stops = policy == RankPolicy::kStop;
      EXPECT_EQ(run(make_rows({}), 3, form, policy).size(), 0U);
      EXPECT_EQ(order(run(make_rows({{2, 0}}), 3, form, policy)), (std::vector<uint32_t>{0}));
      EXPECT_EQ(run(make_rows({{2, 0}}), 0, form, policy).size(), 0U);
      // One dimension.
      const auto line = make_rows({{1}, {-3}, {2}});
      EXPECT_EQ(order(run(line, 3, form, policy)),
                stops ? (std::vector<uint32_t>{1}) : (std::vector<uint32_t>{1, 2, 0}));
      // Nothing but zeros, and zeros among others.
      EXPECT_EQ(order(run(make_rows({{0, 0}, {0, 0}}), 2, form, policy)),
                stops ? std::vector<uint32_t>{} : (std::vector<uint32_t>{0, 1}));
      EXPECT_EQ(order(run(make_rows({{0, 0}, {1, 1}, {0, 0}}), 3, form, policy)),
                stops ? (std::vector<uint32_t>{1}) : (std::vector<uint32_t>{1, 0, 2}));
      // k > N.
      EXPECT_EQ(run(normal_rows(5, 8, 9, false), 100, form, policy).size(), 5U);
    }
}

// Once each direction is taken, float32 sees nothing but noise on either side of zero.
TEST(DppGreedy, CopiesAreChosenUnderEveryPolicy) {
  for (uint32_t n = 4; n < 40; ++n) {
    const FeatureRows kinds = normal_rows(3, 8, n, true);
    std::vector<std::vector<double>> values;
    for (size_t i = 0; i < n; ++i) values.emplace_back(kinds.row(i % 3), kinds.row(i % 3) + 8);
    const FeatureRows rows = make_rows(values);
    for (const DppAlgorithm form : kForms)
      for (const double jitter : {1e-6, 1e-12})
        for (const auto& [policy, count] :
             {std::pair(RankPolicy::kJitter, n - 1), std::pair(RankPolicy::kRounds, n - 1),
              std::pair(RankPolicy::kStop, 3U)}) {
          const auto chosen = order(run(rows, n - 1, form, policy, jitter));
          EXPECT_EQ(std::set<uint32_t>(chosen.begin(), chosen.end()).size(), count);
        }
  }
}

// As LightGCN's vectors are in its first epochs: nearly parallel, and all but a few much like the
// hard negatives, so that their qualities are small.
TEST(DppGreedy, NearlyParallelRowsOfUnequalLengthsTakeTheSameOrderInAllForms) {
  Draws draws = Random(5, "parallel").draws();
  std::vector<std::vector<double>> values(600, std::vector<double>(32));
  for (auto& row : values) {
    const double length = draws.below(20) == 0 ? 2 : 5e-4 * (1 + draws.uniform());
    for (size_t c = 0; c < 32; ++c) row[c] = length * ((c == 0 ? 1 : 0) + 0.02 * draws.normal());
  }
  const FeatureRows rows = make_rows(values);
  const auto expected = order(run(rows, 300, DppAlgorithm::kUpdates));
  EXPECT_EQ(order(run(rows, 300, DppAlgorithm::kLazy)), expected);
  EXPECT_EQ(order(run(rows, 300, DppAlgorithm::kCholesky)), expected);
}

TEST(DppGreedy, ZeroQualityComesLast) {
  const std::vector<double> q = {1, 0, 1};
  for (const DppAlgorithm form : kForms) {
    DppConfig config;
    config.algorithm = form;
    const std::vector<float> v = {1, 0, 0, 5, 0, 1};
    EXPECT_EQ(dpp_greedy({v.data(), 3, 2, 2}, q, 3, config).items,
              (std::vector<uint32_t>{0, 2, 1}));
  }
}

TEST(DppGreedy, StopReturnsTheRank) {
  const FeatureRows rows = normal_rows(200, 16, 10, true);
  for (const DppAlgorithm form : kForms)
    EXPECT_EQ(run(rows, 64, form, RankPolicy::kStop).size(), 16U);
}

TEST(DppGreedy, RoundsTakeEveryRowOnceAndStartAfresh) {
  const FeatureRows rows = normal_rows(50, 4, 12, true);
  for (const DppAlgorithm form : kForms) {
    const auto chosen = order(run(rows, 50, form, RankPolicy::kRounds));
    EXPECT_EQ(std::set<uint32_t>(chosen.begin(), chosen.end()).size(), 50U);
    // Rounds of four; each begins with the longest row that is left.
    for (size_t begin = 0; begin < 50; begin += 4)
      for (size_t later = begin; later < 50; ++later)
        EXPECT_GE(rows.squares()[chosen[begin]], rows.squares()[chosen[later]]);
  }
}

TEST(DppGreedy, RefusesNonsense) {
  std::vector<float> v = {1, 0, 0, 1};
  const VectorTable table{v.data(), 2, 2, 2};
  const std::vector<double> negative = {1, -1}, few = {1};
  EXPECT_NE(error_of([&] { dpp_greedy(table, negative, 1); }).find("quality of row 1"),
            std::string::npos);
  EXPECT_NE(error_of([&] { dpp_greedy(table, few, 1); }).find("1 qualities"), std::string::npos);
  v[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error_of([&] { dpp_greedy(table, {}, 1); }).find("item 1"), std::string::npos);
  DppConfig config;
  config.jitter = 0;
  EXPECT_NE(error_of([&] { dpp_greedy(table, {}, 1, config); }).find("jitter"), std::string::npos);
}

}  // namespace
}  // namespace divns
