// SPDX-License-Identifier: Apache-2.0
#include "divns/statistics.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/json.h"

namespace divns {
namespace {

// Owns what a DatasetPart looks at.
struct Rows {
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> items;
  uint32_t item_count;

  Rows(uint32_t count, const std::vector<std::vector<uint32_t>>& rows) : item_count(count) {
    for (const auto& row : rows) {
      items.insert(items.end(), row.begin(), row.end());
      offsets.push_back(items.size());
    }
  }
  DatasetPart part(const char* name) const { return {name, {offsets, items, item_count}}; }
};

// Four users, five items. Item degrees over both parts: 4, 2, 1, 1, 0.
const Rows kTrain(5, {{0, 1, 2}, {0}, {0}, {}});
const Rows kTest(5, {{}, {1}, {0}, {3}});

DatasetStatistics small_statistics() {
  return compute_statistics(std::vector{kTrain.part("train"), kTest.part("test")}, Executor(2));
}

TEST(Statistics, CountsAndDegrees) {
  const DatasetStatistics s = small_statistics();
  EXPECT_EQ(s.users, 4U);
  EXPECT_EQ(s.items, 5U);
  EXPECT_EQ(s.pairs, 8U);
  EXPECT_DOUBLE_EQ(s.density, 0.4);
  EXPECT_EQ(s.parts[1].name, "test");
  EXPECT_EQ(s.parts[1].pairs, 3U);
  // Users 1, 2, 2, 3; ranks ceil(q * 4) = 1 1 1 2 3 4 4 4.
  EXPECT_EQ(s.user_degrees.quantiles, (std::array<uint64_t, 8>{1, 1, 1, 2, 2, 3, 3, 3}));
  EXPECT_DOUBLE_EQ(s.user_degrees.mean, 2);
  // Items 0, 1, 1, 2, 4; ranks ceil(q * 5) = 1 1 2 3 4 5 5 5.
  EXPECT_EQ(s.item_degrees.quantiles, (std::array<uint64_t, 8>{0, 0, 1, 1, 2, 4, 4, 4}));
  EXPECT_DOUBLE_EQ(s.item_degrees.mean, 1.6);
  EXPECT_EQ(s.cold_users, 1U);
  EXPECT_EQ(s.cold_items, 2U);
}

TEST(Statistics, PopularityCurve) {
  const PopularityCurve curve = small_statistics().popularity;
  // (-4*0 - 2*1 + 0*1 + 2*2 + 4*4) / (5 * 8)
  EXPECT_DOUBLE_EQ(curve.gini, 18.0 / 40);
  // One item is the top 1, 5, 10 and 20 percent of five.
  for (const double share : curve.top_shares) EXPECT_DOUBLE_EQ(share, 0.5);
  // Cumulative 0, 0, 1, 2, 4, 8 at 0, 20, ..., 100 percent, straight in between.
  EXPECT_DOUBLE_EQ(curve.lorenz[3], 0);
  EXPECT_DOUBLE_EQ(curve.lorenz[4], 0.25 / 8);
  EXPECT_DOUBLE_EQ(curve.lorenz[7], 1.0 / 8);
  EXPECT_DOUBLE_EQ(curve.lorenz[17], 6.0 / 8);
  EXPECT_DOUBLE_EQ(curve.lorenz[19], 1);
}

TEST(Statistics, EqualItemsHaveNoInequality) {
  const Rows rows(4, {{0, 1, 2, 3}, {0, 1, 2, 3}});
  const PopularityCurve curve =
      compute_statistics(std::vector{rows.part("train")}, Executor(2)).popularity;
  EXPECT_DOUBLE_EQ(curve.gini, 0);
  for (size_t k = 0; k < curve.lorenz.size(); ++k)
    EXPECT_DOUBLE_EQ(curve.lorenz[k], static_cast<double>(k + 1) / 20);
}

TEST(Statistics, CountsUsersBeyondTheRank) {
  std::vector<std::vector<uint32_t>> rows;
  for (const size_t degree : {32U, 33U, 65U, 129U, 200U}) {
    rows.emplace_back(degree);
    std::iota(rows.back().begin(), rows.back().end(), 0U);
  }
  const Rows train(200, rows);
  const DatasetStatistics s = compute_statistics(std::vector{train.part("train")}, Executor(2));
  EXPECT_EQ(s.users_beyond_rank, (std::array<uint64_t, 3>{4, 3, 2}));
}

TEST(Statistics, FindsLeaks) {
  const Rows valid(5, {{0, 2, 3}, {}, {1}, {4}});
  const Rows test(5, {{0, 3}, {}, {2}, {}});
  const DatasetStatistics s = compute_statistics(
      std::vector{kTrain.part("train"), valid.part("valid"), test.part("test")}, Executor(2));
  // Once for each two parts: (0, 0) and (0, 2) in train and valid, (0, 0) in train and test, (0, 0)
  // and (0, 3) in valid and test.
  EXPECT_EQ(s.leaks, 5U);
  ASSERT_EQ(s.leak_examples.size(), 5U);
  EXPECT_EQ(s.leak_examples[1].item, 2U);
  EXPECT_EQ(s.leak_examples[1].second, "valid");
  EXPECT_EQ(s.leak_examples[3].first, "valid");
  EXPECT_EQ(s.leak_examples[3].second, "test");
  EXPECT_EQ(small_statistics().leaks, 1U);
}

TEST(Statistics, HoldsNothingAtAll) {
  const Rows rows(0, {});
  const DatasetStatistics s = compute_statistics(std::vector{rows.part("train")}, Executor(2));
  EXPECT_EQ(s.density, 0);
  EXPECT_EQ(s.user_degrees.mean, 0);
  EXPECT_EQ(s.popularity.gini, 0);
  EXPECT_FALSE(statistics_text(s).empty());
}

TEST(Statistics, JsonSaysItAll) {
  const auto json = parse_json(statistics_json(small_statistics()));
  EXPECT_EQ(json["pairs"], 8);
  EXPECT_EQ(json["parts"]["test"], 3);
  EXPECT_EQ(json["user_degrees"]["max"], 3);
  EXPECT_EQ(json["item_degrees"]["p75"], 2);
  EXPECT_EQ(json["popularity"]["lorenz"].size(), 20U);
  EXPECT_EQ(json["popularity"]["top_shares"]["5%"], 0.5);
  EXPECT_EQ(json["users_beyond_rank"]["64"], 0);
  EXPECT_EQ(json["leaks"]["count"], 1);
  EXPECT_EQ(json["leaks"]["examples"][0]["parts"][1], "test");
}

TEST(Statistics, TextIsATidyTable) {
  EXPECT_EQ(statistics_text(small_statistics()),
            R"(users                    4
items                    5
pairs                    8   train 5, test 3
density               40 %

degrees            min    10 %    25 %    50 %    75 %    90 %    99 %     max      mean
  of users           1       1       1       2       2       3       3       3       2.0
  of items           0       0       1       1       2       4       4       4       1.6

popularity    ▁▁▁▁▃▃▃▃▃▃▃▃▅▅▅▅████  Gini 0.450
top items          1 %     5 %    10 %    20 %
  hold          50.0 %  50.0 %  50.0 %  50.0 %  of pairs

more than           32      64     128  pairs in train
  have               0       0       0  users
cold          users 1, items 2: without a pair in train
leaks         pairs that an earlier part holds too: 1, such as
              user 2, item 0 in train and test
)");
}

}  // namespace
}  // namespace divns
