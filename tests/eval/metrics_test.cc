// SPDX-License-Identifier: Apache-2.0
#include "eval/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace divns {
namespace {

struct Measured {
  std::vector<double> values;
  std::vector<uint32_t> hit_ranks;
};

Measured measure(const ListMetrics& metrics, const std::vector<uint32_t>& ranking,
                 const std::vector<uint32_t>& relevant) {
  std::vector<ScoredItem> list;
  for (const uint32_t item : ranking) list.push_back({item, 0});
  std::vector<uint8_t> flags(100, 0);
  for (const uint32_t item : relevant) flags[item] = 1;
  Measured measured;
  measured.values.resize(metrics.columns());
  metrics.measure(list, flags, relevant.size(), measured.values, measured.hit_ranks);
  return measured;
}

TEST(Metrics, WorkedExample) {
  const ListMetrics metrics({1, 2, 3, 5});
  const Measured got = measure(metrics, {7, 3, 9, 1, 4}, {3, 4, 8});
  const auto at = [&](Metric metric, size_t c) { return got.values[metrics.column(metric, c)]; };
  EXPECT_EQ(at(Metric::kRecall, 0), 0);
  EXPECT_EQ(at(Metric::kNdcg, 0), 0);
  EXPECT_NEAR(at(Metric::kRecall, 1), .3333333, 5e-8);
  EXPECT_NEAR(at(Metric::kNdcg, 1), .3868528, 5e-8);
  EXPECT_NEAR(at(Metric::kRecall, 2), .3333333, 5e-8);
  EXPECT_NEAR(at(Metric::kNdcg, 2), .2960819, 5e-8);
  EXPECT_NEAR(at(Metric::kRecall, 3), .6666667, 5e-8);
  EXPECT_NEAR(at(Metric::kNdcg, 3), .4776237, 5e-8);
  EXPECT_EQ(at(Metric::kPrecision, 3), 2.0 / 5);
  EXPECT_EQ(at(Metric::kHit, 0), 0);
  EXPECT_EQ(at(Metric::kHit, 1), 1);
  EXPECT_EQ(at(Metric::kMrr, 0), 0);
  EXPECT_EQ(at(Metric::kMrr, 3), 1.0 / 2);
  EXPECT_DOUBLE_EQ(at(Metric::kMap, 3), (1.0 / 2 + 2.0 / 5) / 3);
  EXPECT_EQ(got.hit_ranks, (std::vector<uint32_t>{1, 4}));
}

TEST(Metrics, MoreRelevantItemsThanTheListHolds) {
  const ListMetrics metrics({5});
  const Measured got = measure(metrics, {1, 20, 2, 21, 22}, {1, 2, 3, 4, 5, 6, 7});
  EXPECT_NEAR(got.values[metrics.column(Metric::kRecall, 0)], .2857143, 5e-8);
  EXPECT_NEAR(got.values[metrics.column(Metric::kNdcg, 0)], .5087403, 5e-8);
  EXPECT_DOUBLE_EQ(got.values[metrics.column(Metric::kMap, 0)], (1.0 + 2.0 / 3) / 5);
}

TEST(Metrics, APerfectListIsWorthOne) {
  const ListMetrics metrics({3, 10});
  const Measured got = measure(metrics, {4, 2, 9}, {2, 4, 9});
  for (const Metric metric :
       {Metric::kRecall, Metric::kNdcg, Metric::kHit, Metric::kMrr, Metric::kMap})
    for (const size_t c : {0U, 1U}) EXPECT_DOUBLE_EQ(got.values[metrics.column(metric, c)], 1);
  EXPECT_DOUBLE_EQ(got.values[metrics.column(Metric::kPrecision, 1)], .3);
}

TEST(Metrics, AnEmptyListIsWorthNothing) {
  const ListMetrics metrics({1, 20});
  for (const double value : measure(metrics, {}, {3}).values) EXPECT_EQ(value, 0);
}

TEST(Metrics, ColumnsAreNamed) {
  const ListMetrics metrics({10, 20});
  const auto names = metrics.column_names();
  ASSERT_EQ(names.size(), 12U);
  EXPECT_EQ(names[metrics.column(Metric::kRecall, 0)], "recall@10");
  EXPECT_EQ(names[metrics.column(Metric::kMap, 1)], "map@20");
}

}  // namespace
}  // namespace divns
