// SPDX-License-Identifier: Apache-2.0
// The loss without negatives: alignment and uniformity of a batch.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "divns/options.h"
#include "models/registry.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/tables.h"
#include "support/unit_vectors.h"
#include "train/setup.h"
#include "train/shared_gradients.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;

struct AlignedBatch {
  Executor executor{2};
  std::unique_ptr<Model> model = find_model("mf").make();
  std::unique_ptr<Loss> loss = find_loss("directau").make();
  OwnedInteractions train;
  std::vector<uint32_t> ids;

  explicit AlignedBatch(uint32_t pairs, uint32_t dim)
      : train(std::vector<std::vector<uint32_t>>(pairs, {0}), pairs) {
    for (uint32_t b = 0; b < pairs; ++b) ids.push_back(b);
    model->start({train.view(), executor, dim});
    loss->start({.train = train.view(), .cosine = true});
  }

  // Row b has user b and item b.
  std::unique_ptr<SharedGradients> gradients() {
    const Batch batch{.users = ids, .positives = ids};
    const auto count = static_cast<uint32_t>(ids.size());
    users_.emplace(count).group(ids);
    items_.emplace(count).group(ids);
    Negatives none;
    none.reset(0, 1, 1);
    ObjectiveOptions objective{.l2 = 0};
    objective.similarity = ScoreSimilarity::kCosine;
    const testing::UnitVectors unit(model->view());
    auto result = std::make_unique<SharedGradients>(objective, *loss, train.view(),
                                                    model->user_parameters().dim(), 1, executor);
    result->compute(batch, none, model->view(), unit.view(), *users_, *items_);
    return result;
  }

 private:
  std::optional<Grouping> users_;
  std::optional<Grouping> items_;
};

TEST(DirectAu, TheWorkedExample) {
  constexpr std::array<float, 6> kUsers = {0.6F, -0.2F, 0.3F, 0.1F, 0.5F, -0.4F};
  constexpr std::array<float, 6> kItems = {0.5F, 0.1F, 0.2F, -0.3F, 0.4F, 0.1F};
  constexpr std::array<double, 6> kByUser = {1.0863682, 1.2936457,  -1.3103060,
                                             3.8146570, -0.7841115, -0.0264752};
  constexpr std::array<double, 6> kByItem = {-1.1611124, 3.8965308, 0.9545156,
                                             2.0803822,  0.7998172, 3.0418776};
  AlignedBatch batch(2, 3);
  for (uint32_t b = 0; b < 2; ++b)
    for (uint32_t k = 0; k < 3; ++k) {
      batch.model->user_parameters().row(b)[k] = kUsers[b * 3 + k];
      batch.model->item_parameters().row(b)[k] = kItems[b * 3 + k];
    }
  const auto gradients = batch.gradients();
  EXPECT_NEAR(gradients->loss(), -4.630076928, 2e-6);
  for (uint32_t slot = 0; slot < 2; ++slot)
    for (uint32_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(gradients->users().pooled.row(slot)[k],
                  kByUser[gradients->users().rows[slot] * 3 + k], 1e-5);
      EXPECT_NEAR(gradients->items().pooled.row(slot)[k],
                  kByItem[gradients->items().rows[slot] * 3 + k], 1e-5);
    }
}

// More rows than a panel, along random directions.
TEST(DirectAu, HasTheGradientOfFiniteDifferences) {
  constexpr uint32_t kRows = 150;
  AlignedBatch batch(kRows, 8);
  const Table users = testing::random_table(kRows, 8, 1);
  const Table items = testing::random_table(kRows, 8, 2);
  const auto loss_at = [&](const Table& u, const Table& v, double step) {
    for (size_t i = 0; i < users.size(); ++i) {
      batch.model->user_parameters().data()[i] =
          static_cast<float>(double{users.data()[i]} + step * double{u.data()[i]});
      batch.model->item_parameters().data()[i] =
          static_cast<float>(double{items.data()[i]} + step * double{v.data()[i]});
    }
    return batch.gradients();
  };
  for (uint32_t n = 0; n < 4; ++n) {
    const Table u = testing::random_table(kRows, 8, 10 + n);
    const Table v = testing::random_table(kRows, 8, 20 + n);
    const auto gradients = loss_at(u, v, 0);
    double slope = 0;
    for (uint32_t slot = 0; slot < kRows; ++slot)
      for (uint32_t k = 0; k < 8; ++k)
        slope += double{gradients->users().pooled.row(slot)[k]} *
                     double{u.row(gradients->users().rows[slot])[k]} +
                 double{gradients->items().pooled.row(slot)[k]} *
                     double{v.row(gradients->items().rows[slot])[k]};
    constexpr double kStep = 0.01;
    const double expected =
        (loss_at(u, v, kStep)->loss() - loss_at(u, v, -kStep)->loss()) / (2 * kStep);
    EXPECT_NEAR(slope, expected, 2e-3 * (1 + std::abs(expected))) << n;
  }
}

TEST(DirectAu, OnePairHasNoUniformity) {
  AlignedBatch batch(1, 3);
  batch.model->user_parameters().row(0)[0] = 1;
  batch.model->item_parameters().row(0)[0] = 2;
  EXPECT_NEAR(batch.gradients()->loss(), 0, 1e-6);
}

// By the options, as the tool does it; the sampler is not used.
std::pair<std::vector<double>, std::vector<float>> train_directau(const char* model, int threads) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"model", model},
                                                                  {"loss", "directau"},
                                                                  {"similarity", "cosine"},
                                                                  {"epochs", "4"},
                                                                  {"batch_size", "100"},
                                                                  {"embedding_dim", "8"},
                                                                  {"init", "normal"},
                                                                  {"learning_rate", "0.01"}})
    options.set(name, value, OptionSource::kSet);
  setup.resolve(options);
  const OwnedInteractions train = testing::random_interactions(80, 31, 6, 3);
  const Executor executor(threads, threads > 2 ? 5 : 0);
  const TrainConfig config = setup.config();
  EXPECT_EQ(TrainingSetup::config_text(options, config).find("sampler"), std::string::npos);
  Trainer trainer(config, setup.take_parts(), train.view(), {}, executor);
  std::vector<double> losses;
  while (!trainer.finished()) losses.push_back(trainer.run_epoch().loss);
  const VectorTable users = trainer.finish().users;
  return {losses, {users.data, users.data + size_t{users.rows} * users.stride}};
}

TEST(DirectAu, LowersTheLossWithTheSameBitsForAnyThreads) {
  for (const char* model : {"mf", "lightgcn"}) {
    const auto expected = train_directau(model, 1);
    EXPECT_LT(expected.first.back(), expected.first.front());
    for (const int threads : {2, 7}) EXPECT_EQ(train_directau(model, threads), expected);
  }
}

TEST(DirectAu, NeedsCosines) {
  const auto loss = find_loss("directau").make();
  const OwnedInteractions train({{0}}, 1);
  EXPECT_NE(
      testing::error_of([&] { loss->start({.train = train.view()}); }).find("similarity = cosine"),
      std::string::npos);
}

}  // namespace
}  // namespace divns
