// SPDX-License-Identifier: Apache-2.0
#include "synth/synth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace divns {
namespace {

SynthOptions small_options() {
  SynthOptions options;
  options.users = 400;
  options.items = 300;
  options.pairs = 9'000;
  options.clusters = 10;
  options.minimum_degree = 3;
  return options;
}

TEST(Synth, MakesExactlyWhatWasAskedFor) {
  const SynthOptions options = small_options();
  const SynthData data = generate_synth(options, Executor(1));
  const Interactions pairs = data.interactions();
  ASSERT_EQ(pairs.users(), 400U);
  ASSERT_EQ(pairs.pairs(), 9'000U);
  EXPECT_EQ(pairs.item_count, 300U);
  EXPECT_EQ(data.truth.users(), 400U);
  for (uint32_t user = 0; user < pairs.users(); ++user) {
    const auto row = pairs.row(user);
    EXPECT_GE(row.size(), 3U);
    EXPECT_LE(row.size(), options.maximum_degree());
    EXPECT_LT(row.back(), 300U);
    EXPECT_EQ(std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()), row.end());
  }
}

TEST(Synth, DependsOnTheSeedAndNothingElse) {
  SynthOptions options = small_options();
  const SynthData one = generate_synth(options, Executor(1));
  const SynthData four = generate_synth(options, Executor(4, 9));
  EXPECT_EQ(one.offsets, four.offsets);
  EXPECT_EQ(one.items, four.items);
  EXPECT_EQ(one.times, four.times);
  EXPECT_EQ(one.truth.item_vectors, four.truth.item_vectors);
  EXPECT_EQ(one.truth.favourites, four.truth.favourites);
  EXPECT_EQ(one.truth.taste_weights, four.truth.taste_weights);
  options.seed = 2;
  const SynthData other = generate_synth(options, Executor(1));
  EXPECT_NE(one.items, other.items);
  EXPECT_NE(one.offsets, other.offsets);
}

// Sum over users of (pairs on liked items - its expectation), in standard deviations, for users of
// degree one, whose choice is a single draw from r_u / sum r_u.
TEST(Synth, ChoicesFollowTheTruth) {
  SynthOptions options = small_options();
  options.users = 3'000;
  options.pairs = 3'000;
  options.minimum_degree = 1;
  const SynthData data = generate_synth(options, Executor(1));
  std::vector<double> rates(300);
  double surplus = 0;
  double variance = 0;
  for (uint32_t user = 0; user < 3'000; ++user) {
    data.truth.preferences(user, rates);
    double liked = 0;
    for (uint32_t item = 0; item < 300; ++item)
      if (data.truth.likes(user, item)) liked += rates[item];
    const double chance = liked / std::accumulate(rates.begin(), rates.end(), 0.0);
    surplus += (data.truth.likes(user, data.items[user]) ? 1 : 0) - chance;
    variance += chance * (1 - chance);
  }
  EXPECT_GT(variance, 100);
  EXPECT_LT(std::abs(surplus), 3.3 * std::sqrt(variance));
}

TEST(Synth, ClustersAndDegreesAreUnequal) {
  const SynthOptions options = small_options();
  const SynthData data = generate_synth(options, Executor(1));
  std::vector<int> sizes(10);
  for (const uint32_t cluster : data.truth.item_clusters) ++sizes[cluster];
  EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 1);
  EXPECT_GT(sizes[0], 3 * sizes[9]);
  for (const double spread : data.truth.cluster_spreads) {
    EXPECT_GE(spread, options.spread_min);
    EXPECT_LE(spread, options.spread_max);
  }
  EXPECT_NEAR(std::accumulate(data.truth.popularity.begin(), data.truth.popularity.end(), 0.0), 1,
              1e-12);
  std::vector<uint64_t> degrees(400);
  std::adjacent_difference(data.offsets.begin() + 1, data.offsets.end(), degrees.begin());
  std::sort(degrees.begin(), degrees.end());
  EXPECT_LT(degrees.front(), 6U);
  EXPECT_GT(degrees.back(), 5 * degrees[200]);
}

TEST(Synth, TimesRiseInTheOrderOfChoiceAndFitFiveYears) {
  const SynthData data = generate_synth(small_options(), Executor(1));
  const auto [first, last] = std::minmax_element(data.times.begin(), data.times.end());
  EXPECT_GE(*first, 1'577'836'800U);
  EXPECT_LT(*last, 1'735'689'600U);
  // What is liked is chosen early: its mean rank in time among the user's pairs is below one half.
  double sum = 0;
  double count = 0;
  for (uint32_t user = 0; user < 400; ++user) {
    const uint64_t begin = data.offsets[user];
    const uint64_t end = data.offsets[user + 1];
    for (uint64_t k = begin; k < end; ++k) {
      if (!data.truth.likes(user, data.items[k])) continue;
      for (uint64_t j = begin; j < end; ++j)
        sum += data.times[j] < data.times[k] ? 1.0 / static_cast<double>(end - begin) : 0;
      ++count;
    }
  }
  EXPECT_LT(sum / count, 0.48);
}

TEST(Synth, HoldsTheSmallestAndTheDensest) {
  SynthOptions options;
  options.users = 1;
  options.items = 1;
  options.pairs = 1;
  options.clusters = 1;
  options.minimum_degree = 1;
  EXPECT_EQ(generate_synth(options, Executor(1)).items, std::vector<uint32_t>{0});

  options.users = 7;
  options.items = 5;
  options.pairs = 35;
  options.maximum_share = 1;
  const SynthData full = generate_synth(options, Executor(2));
  for (size_t k = 0; k < 35; ++k) EXPECT_EQ(full.items[k], k % 5);
}

}  // namespace
}  // namespace divns
