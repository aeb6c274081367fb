// SPDX-License-Identifier: Apache-2.0
#include "eval/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/errors.h"

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

size_t column(const ListMetrics& metrics, const std::string& metric, size_t cutoff_index) {
  const auto names = metrics.column_names();
  const std::string name = metric + "@" + std::to_string(metrics.cutoffs()[cutoff_index]);
  return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

TEST(Metrics, WorkedExample) {
  const ListMetrics metrics({1, 2, 3, 5});
  const Measured got = measure(metrics, {7, 3, 9, 1, 4}, {3, 4, 8});
  const auto at = [&](const char* metric, size_t c) {
    return got.values[column(metrics, metric, c)];
  };
  EXPECT_EQ(at("recall", 0), 0);
  EXPECT_EQ(at("ndcg", 0), 0);
  EXPECT_NEAR(at("recall", 1), .3333333, 5e-8);
  EXPECT_NEAR(at("ndcg", 1), .3868528, 5e-8);
  EXPECT_NEAR(at("recall", 2), .3333333, 5e-8);
  EXPECT_NEAR(at("ndcg", 2), .2960819, 5e-8);
  EXPECT_NEAR(at("recall", 3), .6666667, 5e-8);
  EXPECT_NEAR(at("ndcg", 3), .4776237, 5e-8);
  EXPECT_EQ(at("precision", 3), 2.0 / 5);
  EXPECT_EQ(at("hit", 0), 0);
  EXPECT_EQ(at("hit", 1), 1);
  EXPECT_EQ(at("mrr", 0), 0);
  EXPECT_EQ(at("mrr", 3), 1.0 / 2);
  EXPECT_DOUBLE_EQ(at("map", 3), (1.0 / 2 + 2.0 / 5) / 3);
  EXPECT_EQ(got.hit_ranks, (std::vector<uint32_t>{1, 4}));
}

TEST(Metrics, MoreRelevantItemsThanTheListHolds) {
  const ListMetrics metrics({5});
  const Measured got = measure(metrics, {1, 20, 2, 21, 22}, {1, 2, 3, 4, 5, 6, 7});
  EXPECT_NEAR(got.values[column(metrics, "recall", 0)], .2857143, 5e-8);
  EXPECT_NEAR(got.values[column(metrics, "ndcg", 0)], .5087403, 5e-8);
  EXPECT_DOUBLE_EQ(got.values[column(metrics, "map", 0)], (1.0 + 2.0 / 3) / 5);
}

TEST(Metrics, APerfectListIsWorthOne) {
  const ListMetrics metrics({3, 10});
  const Measured got = measure(metrics, {4, 2, 9}, {2, 4, 9});
  for (const char* metric : {"recall", "ndcg", "hit", "mrr", "map"})
    for (const size_t c : {0U, 1U}) EXPECT_DOUBLE_EQ(got.values[column(metrics, metric, c)], 1);
  EXPECT_DOUBLE_EQ(got.values[column(metrics, "precision", 1)], .3);
}

TEST(Metrics, AnEmptyListIsWorthNothing) {
  const ListMetrics metrics({1, 20});
  for (const double value : measure(metrics, {}, {3}).values) EXPECT_EQ(value, 0);
}

TEST(Metrics, ColumnsAreNamed) {
  const ListMetrics metrics({10, 20});
  const auto names = metrics.column_names();
  ASSERT_EQ(names.size(), 12U);
  EXPECT_EQ(names.front(), "recall@10");
  EXPECT_EQ(names.back(), "map@20");
}

TEST(Metrics, AMetricIsCheckedWithItsCutoff) {
  EXPECT_EQ(check_metric("ndcg@10"), 10U);
  EXPECT_ERROR(check_metric("ndgc@10"), "ndcg");
  EXPECT_ERROR(check_metric("recall"), "recall@20");
  EXPECT_ERROR(check_metric("recall@0"), "recall@20");
  EXPECT_ERROR(check_metric("recall@1x"), "recall@20");
}

TEST(Metrics, RegistrationIsChecked) {
  const auto zero = [](const RankedHits&) { return 0.0; };
  EXPECT_ERROR(register_metric({"recall", "", zero}), "already");
  EXPECT_ERROR(register_metric({"a@b", "", zero}), "without it");
  EXPECT_ERROR(register_metric({"nothing", "", {}}), "function");
}

}  // namespace
}  // namespace divns
