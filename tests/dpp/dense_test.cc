// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "divns/dpp.h"
#include "dpp/greedy.h"
#include "dpp/reference.h"
#include "support/errors.h"

namespace divns {
namespace {

TEST(DppDense, GreedyEqualsTheFeatureForm) {
  const FeatureRows rows = testing::normal_rows(30, 6, 41, true);
  const auto kernel = testing::dense_kernel<double>(rows, 0);
  DppConfig config;
  GreedyScratch scratch;
  Picks picks;
  for (const RankPolicy policy : {RankPolicy::kJitter, RankPolicy::kStop}) {
    config.rank_policy = policy;
    greedy(rows, 15, config, scratch, picks);
    const DppSelection dense = dpp_greedy_dense(kernel, 30, 15, config);
    EXPECT_EQ(dense.items, std::vector<uint32_t>(picks.rows.begin(), picks.rows.end()));
    for (size_t t = 0; t < picks.size(); ++t)
      EXPECT_NEAR(dense.gains[t] / picks.gains[t], 1, 1e-6) << t;
  }
}

TEST(DppDense, ExactHasTheLawOfEnumeration) {
  // A kernel of full rank that is no product of few features.
  const std::vector<double> kernel = {2,  .5, .1,  0,  .5, 1,   .3, -.2,
                                      .1, .3, 1.5, .4, 0,  -.2, .4, .7};
  std::map<uint32_t, int> seen;
  DppConfig config;
  config.rank_policy = RankPolicy::kStop;
  constexpr int kDraws = 20000;
  const DenseKdpp dpp(kernel, 4, config);
  for (uint64_t seed = 0; seed < kDraws; ++seed) {
    const auto items = dpp.draw(2, seed).items;
    ++seen[1U << items[0] | 1U << items[1]];
  }
  const auto masks = testing::subsets(4, 2);
  const auto p = testing::subset_probabilities(kernel, 4, 2);
  for (size_t s = 0; s < masks.size(); ++s)
    EXPECT_NEAR(seen[masks[s]], kDraws * p[s], 5 * std::sqrt(kDraws * p[s] * (1 - p[s])));
  EXPECT_EQ(dpp_exact_dense(kernel, 4, 2, 7, config).items, dpp.draw(2, 7).items);
}

TEST(DppDense, RefusesWhatIsNoKernel) {
  const std::vector<double> crooked = {1, 2, 3, 1}, indefinite = {1, 2, 2, 1};
  DppConfig rounds;
  rounds.rank_policy = RankPolicy::kRounds;
  const auto fails = [](auto&& action, const char* part) {
    return testing::error_of(action).find(part) != std::string::npos;
  };
  EXPECT_TRUE(fails([&] { dpp_greedy_dense(crooked, 2, 1); }, "symmetric"));
  EXPECT_TRUE(fails([&] { dpp_greedy_dense(crooked, 3, 1); }, "9"));
  EXPECT_TRUE(fails([&] { dpp_exact_dense(indefinite, 2, 1, 1); }, "semidefinite"));
  EXPECT_TRUE(fails([&] { dpp_greedy_dense(indefinite, 2, 1, rounds); }, "rounds"));
}

}  // namespace
}  // namespace divns
