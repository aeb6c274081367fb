// SPDX-License-Identifier: Apache-2.0
// What every fitted model promises, whichever it is.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "divns/options.h"
#include "models/registry.h"
#include "support/errors.h"
#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

// All scores, users x items, as they are kept or made.
std::vector<float> all_scores(const Scorer& scorer, uint32_t users, uint32_t items) {
  std::vector<float> result;
  if (scorer.has_vectors()) {
    for (uint32_t u = 0; u < users; ++u)
      for (uint32_t i = 0; i < items; ++i) {
        float sum = 0;
        for (uint32_t k = 0; k < scorer.users.dim; ++k)
          sum += scorer.users.row(u)[k] * scorer.items.row(i)[k];
        result.push_back(sum);
      }
    return result;
  }
  std::vector<uint32_t> ids(users);
  std::iota(ids.begin(), ids.end(), 0U);
  Table scores(users, items);
  scorer.source->score(ids, scores);
  for (uint32_t u = 0; u < users; ++u)
    result.insert(result.end(), scores.row(u), scores.row(u) + items);
  return result;
}

std::vector<float> fitted_scores(const FittedModelEntry& entry, const Interactions& train,
                                 const Executor& executor) {
  const auto model = entry.make();
  model->fit({train, executor, 7});
  return all_scores(model->scorer(), train.users(), train.item_count);
}

class FittedModels : public ::testing::TestWithParam<FittedModelEntry> {};

TEST_P(FittedModels, HaveTheSameBitsForAnyNumberOfThreads) {
  const OwnedInteractions pairs = random_interactions(150, 140, 8, 1);
  const auto expected = fitted_scores(GetParam(), pairs.view(), Executor(1));
  for (const int threads : {2, 7}) {
    const auto found = fitted_scores(GetParam(), pairs.view(), Executor(threads, 5));
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(float)), 0)
        << threads;
  }
}

// Users 0 .. 9 like items 0 .. 9, the others 10 .. 19, and each lacks one of theirs.
TEST_P(FittedModels, FindTheItemThatTheOthersOfAGroupHave) {
  if (GetParam().name == "popularity") GTEST_SKIP() << "Popularity knows no groups.";
  std::vector<std::vector<uint32_t>> rows(20);
  for (uint32_t u = 0; u < 20; ++u)
    for (uint32_t i = 0; i < 10; ++i)
      if (i != u % 10) rows[u].push_back(u / 10 * 10 + i);
  const OwnedInteractions pairs(rows, 20);
  const Executor executor(2);
  const std::vector<float> scores = fitted_scores(GetParam(), pairs.view(), executor);
  for (uint32_t u = 0; u < 20; ++u)
    for (uint32_t i = 0; i < 20; ++i)
      if (i / 10 != u / 10) {
        EXPECT_LT(scores[u * 20 + i], scores[u * 20 + u / 10 * 10 + u % 10]) << u << " " << i;
      }
}

TEST_P(FittedModels, TakeDataWithoutPairs) {
  const OwnedInteractions pairs(std::vector<std::vector<uint32_t>>(3), 4);
  const Executor executor(2);
  for (const float score : fitted_scores(GetParam(), pairs.view(), executor)) EXPECT_EQ(score, 0);
}

TEST_P(FittedModels, DeclareTheirOptionsUnderTheirName) {
  const auto model = GetParam().make();
  Options options;
  model->declare(options);
  for (const Option& option : options.all())
    EXPECT_TRUE(option.name().starts_with(std::string(GetParam().name) + ".")) << option.name();
}

INSTANTIATE_TEST_SUITE_P(Registry, FittedModels, ::testing::ValuesIn(fitted_models()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FittedModelRegistry, FindsByName) {
  EXPECT_EQ(find_fitted_model("ease")->name, "ease");
  EXPECT_EQ(find_fitted_model("mf"), nullptr);
  EXPECT_ERROR(find_model("ials"), "'ials' is fitted without a sampler");
  EXPECT_ERROR(find_model("ialz"), "ials");
}

}  // namespace
}  // namespace divns
