// SPDX-License-Identifier: Apache-2.0
// Every loss trains both models with samplers of four kinds: drawn ahead (rns), chosen by score
// (dns), mixed (divns) and shared by the rows of a batch.
#include <gtest/gtest.h>

#include <cmath>

#include "divns/error.h"
#include "divns/options.h"
#include "models/registry.h"
#include "support/interactions.h"
#include "support/loss_cases.h"
#include "support/watching_sampler.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::LossCase;
using testing::OwnedInteractions;

constexpr int kLossDim = 8;

const OwnedInteractions& small_train() {
  static const OwnedInteractions train = testing::random_interactions(80, 31, 6, 3);
  return train;
}

struct TrainedLoss {
  std::vector<double> losses;  // per epoch
  std::vector<float> vectors;

  bool operator==(const TrainedLoss&) const = default;
};

// Vectors that samplers see and that are kept, where scores are cosines.
void expect_unit_length(const float* vector) {
  double square = 0;
  for (size_t k = 0; k < kLossDim; ++k) square += double{vector[k]} * double{vector[k]};
  EXPECT_NEAR(square, 1, 1e-5);
}

// With `watched` the batches are those of the general schedule.
TrainedLoss train_with(const LossCase& c, const char* sampler, const char* model, int threads,
                       bool watched = false) {
  TrainConfig config;
  config.model = model;
  config.sampler = sampler;
  config.embedding_dim = kLossDim;
  config.batch_size = 180;  // more rows than the trainer gives a loss in one call
  config.epochs = 8;
  config.negatives = 3;
  config.optimizer.learning_rate = 0.01;
  config.init = Initialisation::kNormal;
  config.init_std = 0.3;
  if (c.cosine) config.objective.similarity = ScoreSimilarity::kCosine;
  std::unique_ptr<Sampler> made = find_sampler(sampler).make();
  if (watched)
    made = std::make_unique<testing::WatchingSampler>(
        std::move(made), [&](const Batch& batch, const EmbeddingView& view, const Negatives&) {
          if (c.cosine) expect_unit_length(view.users.row(batch.users[0]));
          if (c.cosine) expect_unit_length(view.items.row(batch.positives[0]));
        });
  const Executor executor(threads, threads > 2 ? 5 : 0);
  Trainer trainer(config, {find_model(model).make(), std::move(made), c.make()},
                  small_train().view(), {}, executor);
  TrainedLoss result;
  while (!trainer.finished()) result.losses.push_back(trainer.run_epoch().loss);
  const auto [users, items] = trainer.finish();
  for (const VectorTable& table : {users, items})
    result.vectors.insert(result.vectors.end(), table.data,
                          table.data + size_t{table.rows} * table.stride);
  return result;
}

struct TrainingCase {
  LossCase loss;
  const char* sampler;
  const char* model;
};

class EveryTraining : public ::testing::TestWithParam<TrainingCase> {};

TEST_P(EveryTraining, LowersTheLossWithTheSameBitsForAnyThreadsAndSchedule) {
  const auto& [loss, sampler, model] = GetParam();
  const TrainedLoss expected = train_with(loss, sampler, model, 1);
  for (const float x : expected.vectors) ASSERT_TRUE(std::isfinite(x));
  EXPECT_LT(expected.losses.back(), expected.losses.front());
  for (size_t begin = 0; loss.cosine && begin < expected.vectors.size(); begin += kLossDim)
    expect_unit_length(&expected.vectors[begin]);
  for (const int threads : {2, 7}) EXPECT_EQ(train_with(loss, sampler, model, threads), expected);
  EXPECT_EQ(train_with(loss, sampler, model, 2, true), expected);
}

std::vector<TrainingCase> training_cases() {
  std::vector<TrainingCase> cases;
  for (const LossCase& loss : testing::loss_cases())
    for (const char* sampler : {"rns", "dns", "divns"})
      for (const char* model : {"mf", "lightgcn"}) cases.push_back({loss, sampler, model});
  for (const LossCase& loss : testing::loss_cases())
    for (const char* sampler : {"in_batch", "shared"})
      for (const char* model : {"mf", "lightgcn"})
        if (loss.takes_importance || !find_sampler(sampler).make()->weights_negatives())
          cases.push_back({loss, sampler, model});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryTraining, ::testing::ValuesIn(training_cases()),
                         [](const auto& each) {
                           return each.param.loss.label + "_" + each.param.sampler + "_" +
                                  each.param.model;
                         });

std::vector<double> losses_of(Trainer trainer) {
  std::vector<double> losses;
  while (!trainer.finished()) losses.push_back(trainer.run_epoch().loss);
  return losses;
}

// By the options, as the tool does it. Empty if the combination is rejected.
std::vector<double> train_by_name(const LossCase& c, const std::string& sampler,
                                  const std::string& model) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  const auto set = [&](const std::string& name, const std::string& value) {
    options.set(name, value, OptionSource::kSet);
  };
  set("model", model);
  set("sampler", sampler);
  set("loss", c.loss);
  for (const auto& [name, value] : c.settings) set(name, value);
  set("similarity", c.cosine ? "cosine" : "inner");
  set("allow_extensions", "true");
  set("negatives", "2");
  set("epochs", "2");
  set("embedding_dim", "8");
  set("scone.score_dims", "8,16");
  const Executor executor(2);
  try {
    setup.resolve(options);
    const TrainConfig config = setup.config();
    return losses_of(Trainer(config, setup.take_parts(), small_train().view(), {}, executor));
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.find("similarity = inner") != std::string::npos ||
                message.find("in_batch.correction = 0") != std::string::npos)
        << message;
    return {};
  }
}

// Cosines are rejected for samplers that add a loss of their own, and warp for weighted negatives;
// everything else trains.
TEST(LossesBySampler, TrainOrAreRejected) {
  for (const SamplerEntry& sampler : samplers()) {
    if (!sampler.needs.empty()) continue;  // a file
    for (const ModelEntry& model : models())
      for (const LossCase& c : testing::loss_cases()) {
        SCOPED_TRACE(c.label + " " + sampler.name + " " + std::string(model.name));
        const bool own_loss = find_sampler(sampler.name).make()->has_auxiliary_loss();
        const std::vector<double> losses = train_by_name(c, sampler.name, std::string(model.name));
        const bool weighted =
            !c.takes_importance && find_sampler(sampler.name).make()->weights_negatives();
        EXPECT_EQ(losses.size(), (own_loss && c.cosine) || weighted ? 0U : 2U);
        for (const double loss : losses) EXPECT_TRUE(std::isfinite(loss));
      }
  }
}

}  // namespace
}  // namespace divns
