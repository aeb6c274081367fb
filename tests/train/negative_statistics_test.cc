// SPDX-License-Identifier: Apache-2.0
#include "train/negative_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "divns/registry.h"
#include "models/registry.h"
#include "support/interactions.h"
#include "support/losses.h"
#include "support/toy.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::toy_train;
using testing::toy_vectors;

// Rows of user 0 (twice), user 1 and user 0 again, with the items 4, 3, 1, 4 as negatives.
NegativeReport toy_report(uint32_t sample, const KnownLikes& known) {
  const OwnedInteractions train = toy_train();
  const auto vectors = toy_vectors();
  const Executor executor(1);
  ScoredBatch scored({}, testing::default_loss(), 2, executor);
  const std::vector<uint32_t> users = {0, 0, 1, 0};
  const std::vector<uint32_t> positives = {0, 1, 2, 0};
  const Batch batch{.users = users, .positives = positives};
  Negatives negatives;
  negatives.reset(4, 1, 1);
  const uint32_t items[] = {4, 3, 1, 4};
  for (size_t b = 0; b < 4; ++b) negatives.terms[b].item = items[b];
  scored.score(batch, negatives, vectors.view());
  NegativeStatistics statistics(train.view(), sample, 2);
  statistics.set_known(known);
  statistics.add(batch, negatives, vectors.view(), scored);
  return statistics.end_epoch().value_or(NegativeReport());
}

TEST(NegativeStatistics, CountsWhatWasDrawn) {
  const OwnedInteractions valid({{3}, {}, {4}}, 6);
  const NegativeReport report = toy_report(
      100, {valid.view(), [](uint32_t user, uint32_t item) { return user == 0 && item == 4; }});
  EXPECT_DOUBLE_EQ(report.distinct.value(), (2 / 3. + 1) / 2);
  // Item 4 has no training pair, items 3 and 1 have one each.
  EXPECT_DOUBLE_EQ(report.popularity.value(), 2 / 4.);
  EXPECT_DOUBLE_EQ(report.false_negatives.value(), 2 / 4.);
  EXPECT_DOUBLE_EQ(report.valid_positives.value(), 1 / 4.);
  // User 1 has one negative, which has no diversity; cos(4, 3) = .56 / (sqrt(1.6) sqrt(.34)).
  const double cosine = .56 / std::sqrt(1.6 * .34);
  EXPECT_NEAR(report.diversity.value(), 1 - (1 + 2 * cosine) / 3, 1e-6);
  EXPECT_DOUBLE_EQ(report.item_diversity.value(), report.diversity.value());
}

TEST(NegativeStatistics, SaysOnlyWhatIsKnown) {
  const NegativeReport report = toy_report(100, {});
  EXPECT_FALSE(report.false_negatives.has_value());
  EXPECT_FALSE(report.valid_positives.has_value());
  EXPECT_EQ(report.named().size(), 4U);
  EXPECT_TRUE(toy_report(0, {}).named().empty());
}

TEST(NegativeStatistics, MixturesCountByWeightAndWithoutThePositive) {
  const OwnedInteractions train = toy_train();
  const auto vectors = toy_vectors();
  const Executor executor(1);
  ScoredBatch scored({}, testing::default_loss(), 2, executor);
  const std::vector<uint32_t> users = {0};
  const std::vector<uint32_t> positives = {0};
  const Batch batch{.users = users, .positives = positives};
  Negatives negatives;
  negatives.reset(1, 1, 3);
  negatives.terms = {{0, kEveryHop, .4F}, {3, kEveryHop, .45F}, {4, 0, .15F}};
  scored.score(batch, negatives, vectors.view());
  NegativeStatistics statistics(train.view(), 3, 2);
  statistics.add(batch, negatives, vectors.view(), scored);
  const NegativeReport report = statistics.end_epoch().value();
  EXPECT_NEAR(report.popularity.value(), .75, 1e-6);
  // One mixture has no diversity, the items 3 and 4 in it have.
  EXPECT_FALSE(report.diversity.has_value());
  EXPECT_NEAR(report.item_diversity.value(), 1 - .56 / std::sqrt(1.6 * .34), 1e-6);
}

TEST(NegativeStatistics, ComeWithEveryEpochAndChangeNothing) {
  const OwnedInteractions data = testing::random_interactions(60, 40, 6, 2);
  TrainConfig config;
  config.embedding_dim = 8;
  config.batch_size = 64;
  config.epochs = 2;
  std::vector<double> losses[2];
  for (const int watched : {0, 30}) {
    config.diagnostics_users = watched;
    const Executor executor(2);
    Trainer trainer(config, {find_model("mf").make(), find_sampler("rns").make()}, data.view(), {},
                    executor);
    trainer.set_known_likes({data.view(), {}});
    while (!trainer.finished()) {
      const EpochReport report = trainer.run_epoch();
      losses[watched == 0 ? 0 : 1].push_back(report.loss);
      ASSERT_EQ(report.negatives.has_value(), watched > 0);
      if (watched > 0) {
        EXPECT_EQ(report.negatives->valid_positives.value(), 0);  // never a training item
        EXPECT_GT(report.negatives->diversity.value(), 0.5);
      }
    }
  }
  EXPECT_EQ(losses[0], losses[1]);
}

}  // namespace
}  // namespace divns
