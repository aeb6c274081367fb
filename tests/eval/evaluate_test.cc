// SPDX-License-Identifier: Apache-2.0
#include "divns/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "eval/groups.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/worked_example.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

EvaluationRequest toy(const OwnedInteractions& train, const OwnedInteractions& test,
                      std::vector<uint32_t> cutoffs) {
  return {.users = testing::kExampleUserTable,
          .items = testing::kExampleItemTable,
          .train = train.view(),
          .relevant = test.view(),
          .cutoffs = std::move(cutoffs)};
}

TEST(Evaluate, WorkedExample) {
  const OwnedInteractions train({{0, 1}, {2}, {3, 5}}, 6);
  const OwnedInteractions test({{3, 4}, {1}, {0, 2}}, 6);
  const Executor executor(2);
  const Evaluation result = evaluate(toy(train, test, {2}), executor);
  EXPECT_EQ(result.evaluated_users(), 3U);
  EXPECT_NEAR(result.mean("recall@2"), .8333333, 5e-8);
  EXPECT_NEAR(result.mean("ndcg@2"), .7956176, 5e-8);
}

TEST(Evaluate, OnlyUsersWithRelevantItemsCount) {
  const OwnedInteractions train({{0, 1}, {}, {3, 5}}, 6);
  const OwnedInteractions test({{}, {2}, {}}, 6);
  const Evaluation result = evaluate(toy(train, test, {1}), Executor(1));
  EXPECT_EQ(result.per_user.users, std::vector<uint32_t>{1});
  EXPECT_EQ(result.mean("recall@1"),
            1);  // nothing is masked for a user without train pairs
}

TEST(Evaluate, ValidationItemsAreMaskedOnDemand) {
  const OwnedInteractions train({{0, 1}, {2}, {3, 5}}, 6);
  const OwnedInteractions valid({{4}, {}, {}}, 6);
  const OwnedInteractions test({{3}, {}, {}}, 6);
  EvaluationRequest request = toy(train, test, {1});
  EXPECT_EQ(evaluate(request, Executor(1)).mean("recall@1"), 0);
  request.also_masked = valid.view();
  EXPECT_EQ(evaluate(request, Executor(1)).mean("recall@1"), 1);
}

TEST(Evaluate, AUserWhoOwnsEverythingScoresNothing) {
  const OwnedInteractions train({{0, 1, 2, 3, 4, 5}, {}, {}}, 6);
  const OwnedInteractions test({{2}, {}, {}}, 6);
  const Evaluation result = evaluate(toy(train, test, {20}), Executor(1));
  EXPECT_EQ(result.evaluated_users(), 1U);
  EXPECT_EQ(result.mean("recall@20"), 0);
}

TEST(Evaluate, NobodyToEvaluate) {
  const OwnedInteractions none({{}, {}, {}}, 6);
  EvaluationRequest request = toy(none, none, {20});
  request.details = true;
  const Evaluation result = evaluate(request, Executor(1));
  EXPECT_EQ(result.evaluated_users(), 0U);
  EXPECT_EQ(result.mean("ndcg@20"), 0);
  EXPECT_EQ(result.exposure[0].coverage, 0);
}

TEST(Evaluate, CutoffsInAnyOrder) {
  const OwnedInteractions train({{0, 1}, {2}, {3, 5}}, 6);
  const OwnedInteractions test({{3, 4}, {1}, {0, 2}}, 6);
  const Evaluation result = evaluate(toy(train, test, {5, 1, 5, 2}), Executor(1));
  EXPECT_EQ(result.cutoffs, (std::vector<uint32_t>{1, 2, 5}));
  EXPECT_NEAR(result.mean("recall@2"), .8333333, 5e-8);
}

TEST(Evaluate, RefusesWhatDoesNotFit) {
  const OwnedInteractions train({{0}, {}}, 6);
  const OwnedInteractions test({{}, {}, {}}, 6);
  EXPECT_NE(testing::error_of([&] {
              evaluate(toy(train, test, {1}), Executor(1));
            }).find("3 users and 6 items, but the train part"),
            std::string::npos);
  EXPECT_NE(testing::error_of([&] { evaluate(toy(test, test, {}), Executor(1)); }).find("cut-offs"),
            std::string::npos);
  EXPECT_NE(
      testing::error_of([&] { evaluate(toy(test, test, {0}), Executor(1)); }).find("cut-offs"),
      std::string::npos);
}

struct RandomCase {
  RandomCase()
      : train(random_interactions(150, 400, 20, 1)), test(random_interactions(150, 400, 5, 2)) {
    Draws draws = Random(3, "values").draws();
    for (size_t i = 0; i < 550 * 16; ++i) values.push_back(static_cast<float>(draws.normal()));
  }
  EvaluationRequest request() const {
    return {.users = {values.data(), 150, 16, 16},
            .items = {values.data() + size_t{150} * 16, 400, 16, 16},
            .train = train.view(),
            .relevant = test.view(),
            .cutoffs = {5, 20},
            .details = true};
  }
  OwnedInteractions train;
  OwnedInteractions test;
  std::vector<float> values;
};

TEST(Evaluate, BitsDoNotDependOnThreadsOrBlocks) {
  const RandomCase random;
  EvaluationRequest request = random.request();
  const Evaluation expected = evaluate(request, Executor(1));
  for (const int threads : {1, 2, 7}) {
    for (const uint32_t tiles : {1U, 5U, 64U}) {
      request.block_tiles = tiles;
      const Evaluation result = evaluate(request, Executor(threads, 99));
      EXPECT_EQ(result.per_user.values, expected.per_user.values);
      EXPECT_EQ(result.means, expected.means);
      for (size_t c = 0; c < 2; ++c) {
        EXPECT_EQ(result.exposure[c].gini, expected.exposure[c].gini);
        EXPECT_EQ(result.exposure[c].novelty, expected.exposure[c].novelty);
        for (size_t g = 0; g < kQuarters; ++g)
          EXPECT_EQ(result.by_popularity[g].at[c].recall, expected.by_popularity[g].at[c].recall);
      }
    }
  }
}

TEST(Evaluate, MeansAreTheMeansOfThePerUserValues) {
  const RandomCase random;
  const Evaluation result = evaluate(random.request(), Executor(2));
  ASSERT_EQ(result.per_user.columns.size(), result.means.size());
  for (size_t c = 0; c < result.means.size(); ++c) {
    double sum = 0;
    for (const float value : result.per_user.column(c)) sum += value;
    EXPECT_DOUBLE_EQ(result.means[c], sum / result.evaluated_users()) << result.per_user.columns[c];
  }
}

TEST(Evaluate, GroupsAddUpToTheWhole) {
  const RandomCase random;
  const Evaluation result = evaluate(random.request(), Executor(2));
  for (size_t c = 0; c < result.means.size(); ++c) {
    double sum = 0;
    uint32_t users = 0;
    for (const UserGroupResult& group : result.by_activity) {
      sum += group.means[c] * group.activity.members;
      users += group.activity.members;
    }
    EXPECT_EQ(users, result.evaluated_users());
    EXPECT_NEAR(sum / users, result.means[c], 1e-12);
  }
  for (size_t c = 0; c < result.cutoffs.size(); ++c) {
    double share = 0;
    double hits = 0;
    uint64_t relevant = 0;
    for (const ItemGroupResult& group : result.by_popularity) {
      share += group.at[c].share;
      hits += group.at[c].recall * static_cast<double>(group.relevant);
      relevant += group.relevant;
    }
    EXPECT_NEAR(share, 1, 1e-12);
    EXPECT_EQ(relevant, random.test.items.size());
    // Precision counts the same hits.
    EXPECT_NEAR(hits,
                result.mean("precision@" + std::to_string(result.cutoffs[c])) * result.cutoffs[c] *
                    result.evaluated_users(),
                1e-4);
  }
}

TEST(Groups, TiesStayTogether) {
  const std::vector<uint32_t> counts = {1, 1, 1, 1, 1, 1, 2, 9};
  EXPECT_EQ(quarters(counts, false), (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 3, 3}));
  const std::vector<uint32_t> distinct = {8, 7, 6, 5, 4, 3, 2, 1};
  EXPECT_EQ(quarters(distinct, false), (std::vector<uint8_t>{3, 3, 2, 2, 1, 1, 0, 0}));
}

TEST(Groups, ItemsByShareOfTheTrainingData) {
  const std::vector<uint32_t> counts = {10, 0, 5, 5, 20};  // 0, 10, 10 and 20 below
  EXPECT_EQ(quarters(counts, true), (std::vector<uint8_t>{1, 0, 0, 0, 2}));
  const auto ranges = quarter_ranges(counts, quarters(counts, true));
  EXPECT_EQ(ranges[0].low, 0U);
  EXPECT_EQ(ranges[0].high, 5U);
  EXPECT_EQ(ranges[0].members, 3U);
  EXPECT_EQ(ranges[3].members, 0U);
}

TEST(Exposure, ByHand) {
  const std::vector<uint32_t> recommended = {3, 0, 1, 0};
  const std::vector<uint32_t> counts = {8, 4, 0, 2};
  const Exposure exposure = measure_exposure(recommended, counts, 16);
  EXPECT_DOUBLE_EQ(exposure.coverage, .5);
  // Ascending 0 0 1 3: (-3*0 - 1*0 + 1*1 + 3*3) / (4*4).
  EXPECT_DOUBLE_EQ(exposure.gini, 10.0 / 16);
  EXPECT_DOUBLE_EQ(exposure.popularity, 24.0 / 4);
  EXPECT_DOUBLE_EQ(exposure.novelty, (3 * 1.0 + 1 * 4.0) / 4);
}

}  // namespace
}  // namespace divns
