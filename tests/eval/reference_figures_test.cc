// SPDX-License-Identifier: Apache-2.0
// Public splits whose figures can be computed without training: ranking by popularity (many ties),
// and LightGCN's propagation of a fixed sine table. The data is not ours to ship: the tests read it
// from DIVNS_DATA_DIR and skip where that is unset.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "divns/evaluate.h"
#include "eval/groups.h"
#include "models/popularity.h"
#include "support/adjacency.h"
#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;

struct Figures {
  const char* split;
  uint32_t users, items;
  size_t train_pairs, test_pairs;
  uint32_t evaluated;
  double pop_recall, pop_ndcg;
  double sin_recall, sin_ndcg;  // 0: none given
};

const std::vector<Figures> kFigures = {
    {"dens-baby", 4314, 5854, 31567, 11090, 4046, .02801540, .01341127, .00380172, .00133808},
    {"dens-beauty", 7670, 10887, 63601, 18696, 7145, .00545025, .00198175, .00139457, .00062742},
    {"ahns-tool", 16638, 10217, 107772, 26704, 12924, .03534150, .01771605, .00192073, .00083120},
    {"gowalla", 29858, 40981, 810128, 217242, 29858, .04163098, .03168993, 0, 0}};

struct Split {
  Split(const std::string& folder, const Figures& figures)
      : train(testing::read_adjacency(folder + "/train.txt", figures.users), figures.items),
        test(testing::read_adjacency(folder + "/test.txt", figures.users), figures.items) {}
  OwnedInteractions train;
  OwnedInteractions test;
};

class ReferenceFigures : public ::testing::TestWithParam<Figures> {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("DIVNS_DATA_DIR");  // NOLINT(concurrency-mt-unsafe)
    if (folder == nullptr) GTEST_SKIP() << "DIVNS_DATA_DIR is unset: no data to compare with.";
    folder_ = std::string(folder) + "/" + GetParam().split;
  }
  std::string folder_;
};

TEST_P(ReferenceFigures, RankingByPopularity) {
  const Figures& figures = GetParam();
  const Split split(folder_, figures);
  const Interactions train = split.train.view();
  ASSERT_EQ(train.pairs(), figures.train_pairs);
  ASSERT_EQ(split.test.items.size(), figures.test_pairs);
  const Executor executor;
  const auto model = make_popularity();
  model->fit({train, executor});
  const Scorer scorer = model->scorer();
  const Evaluation result = evaluate(
      {.users = scorer.users, .items = scorer.items, .train = train, .relevant = split.test.view()},
      executor);
  EXPECT_EQ(result.evaluated_users(), figures.evaluated);
  EXPECT_NEAR(result.mean("recall@20"), figures.pop_recall, 5e-9);
  EXPECT_NEAR(result.mean("ndcg@20"), figures.pop_ndcg, 5e-9);
}

// One step of E' = D^-1/2 A D^-1/2 E over users then items, eight columns, float64.
std::vector<double> propagate(const Interactions& train, const std::vector<double>& from) {
  constexpr size_t kDim = 8;
  const std::vector<uint32_t> counts = item_counts(train);
  std::vector<double> to(from.size(), 0);
  for (uint32_t user = 0; user < train.users(); ++user) {
    const auto row = train.row(user);
    for (const uint32_t item : row) {
      const double weight = 1 / std::sqrt(static_cast<double>(row.size()) * counts[item]);
      const size_t u = size_t{user} * kDim;
      const size_t i = (size_t{train.users()} + item) * kDim;
      for (size_t k = 0; k < kDim; ++k) {
        to[u + k] += weight * from[i + k];
        to[i + k] += weight * from[u + k];
      }
    }
  }
  return to;
}

TEST_P(ReferenceFigures, RankingByPropagatedSines) {
  const Figures& figures = GetParam();
  if (figures.sin_recall == 0) GTEST_SKIP() << "No figure is given for " << figures.split << ".";
  const Split split(folder_, figures);
  std::vector<double> layer;
  for (uint32_t x = 0; x < figures.users + figures.items; ++x)
    for (int k = 0; k < 8; ++k) layer.push_back(std::sin(.37 * (x + 1.0) * (k + 1.0)));
  std::vector<double> sum = layer;
  for (int l = 0; l < 3; ++l) {
    layer = propagate(split.train.view(), layer);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += layer[i];
  }
  std::vector<float> pooled;
  for (const double value : sum) pooled.push_back(static_cast<float>(value / 4));
  const Evaluation result =
      evaluate({.users = {pooled.data(), figures.users, 8, 8},
                .items = {pooled.data() + size_t{figures.users} * 8, figures.items, 8, 8},
                .train = split.train.view(),
                .relevant = split.test.view()},
               Executor());
  EXPECT_NEAR(result.mean("recall@20"), figures.sin_recall, 5e-9);
  EXPECT_NEAR(result.mean("ndcg@20"), figures.sin_ndcg, 5e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Splits, ReferenceFigures, ::testing::ValuesIn(kFigures), [](const auto& test) {
      std::string name = test.param.split;
      name.erase(name.find('-') == std::string::npos ? name.size() : name.find('-'), 1);
      return name;
    });

}  // namespace
}  // namespace divns
