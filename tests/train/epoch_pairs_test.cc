// SPDX-License-Identifier: Apache-2.0
#include "train/epoch_pairs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

std::vector<uint64_t> order_of(const EpochPairs& pairs) {
  std::vector<uint64_t> order;
  for (size_t i = 0; i < pairs.batches(); ++i) {
    const Batch batch = pairs.batch(i);
    order.insert(order.end(), batch.pairs.begin(), batch.pairs.end());
  }
  return order;
}

TEST(EpochPairs, ShuffleIsAPermutationThatDependsOnEpochAlone) {
  const OwnedInteractions data = random_interactions(900, 400, 20, 3);
  TrainConfig config;
  config.batch_size = 1000;
  std::vector<std::vector<uint64_t>> orders;
  for (const int threads : {1, 7}) {
    const Executor executor(threads);
    EpochPairs pairs(data.view(), config, executor);
    pairs.arrange(3);
    pairs.arrange(0);
    orders.push_back(order_of(pairs));
    const Batch batch = pairs.batch(1);
    for (size_t b = 0; b < batch.size(); ++b) {
      EXPECT_EQ(batch.positives[b], data.items[batch.pairs[b]]);
      EXPECT_LE(data.offsets[batch.users[b]], batch.pairs[b]);
      EXPECT_GT(data.offsets[batch.users[b] + 1], batch.pairs[b]);
    }
    pairs.arrange(1);
    EXPECT_NE(orders.back(), order_of(pairs));
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_EQ(std::set<uint64_t>(orders[0].begin(), orders[0].end()).size(), data.items.size());
}

TEST(EpochPairs, EveryOrderOfFourIsEquallyLikely) {
  const OwnedInteractions data({{0, 1, 2, 3}}, 9);
  const Executor executor(1);
  EpochPairs pairs(data.view(), {}, executor);
  std::map<std::vector<uint64_t>, double> counts;
  constexpr double kExpected = 500;
  for (uint32_t epoch = 0; epoch < 24 * kExpected; ++epoch) {
    pairs.arrange(epoch);
    ++counts[order_of(pairs)];
  }
  ASSERT_EQ(counts.size(), 24U);
  double chi2 = 0;
  for (const auto& [order, count] : counts)
    chi2 += (count - kExpected) * (count - kExpected) / kExpected;
  EXPECT_LT(chi2, 49.7);  // 23 degrees of freedom, p = 0.001
}

TEST(EpochPairs, DropsOrKeepsTheLastBatch) {
  const OwnedInteractions data({{0, 1, 2}, {1, 4}}, 9);
  const Executor executor(1);
  TrainConfig config;
  config.batch_size = 2;
  EXPECT_EQ(EpochPairs(data.view(), config, executor).batches(), 3U);
  EXPECT_EQ(EpochPairs(data.view(), config, executor).whole().size(), 5U);
  config.drop_last = true;
  EXPECT_EQ(EpochPairs(data.view(), config, executor).batches(), 2U);
  EXPECT_EQ(EpochPairs(data.view(), config, executor).whole().size(), 4U);
}

TEST(EpochPairs, LeavesOutUsersWhoOwnEverything) {
  const OwnedInteractions data({{0, 1, 2}, {1}, {}}, 3);
  const Executor executor(1);
  for (const PairOrder order : {PairOrder::kShuffle, PairOrder::kUserUniform}) {
    TrainConfig config;
    config.pairs = order;
    EpochPairs pairs(data.view(), config, executor);
    EXPECT_EQ(pairs.users_owning_everything(), 1U);
    EXPECT_EQ(pairs.pairs_left_out(), 3U);
    pairs.arrange(0);
    EXPECT_EQ(order_of(pairs), std::vector<uint64_t>{3});
  }
}

TEST(EpochPairs, UserUniformDrawsUsersEvenly) {
  const OwnedInteractions data({{0}, {1, 2, 3, 4, 5, 6, 7, 8}, {2, 3, 4}}, 12);
  const Executor executor(1);
  TrainConfig config;
  config.pairs = PairOrder::kUserUniform;
  EpochPairs pairs(data.view(), config, executor);
  std::vector<double> counts(3);
  for (uint32_t epoch = 0; epoch < 1000; ++epoch) {
    pairs.arrange(epoch);
    for (const uint32_t user : pairs.batch(0).users) ++counts[user];
  }
  for (const double count : counts) EXPECT_NEAR(count, 4000, 200);
}

}  // namespace
}  // namespace divns
