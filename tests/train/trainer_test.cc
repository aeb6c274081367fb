// SPDX-License-Identifier: Apache-2.0
#include "train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "divns/options.h"
#include "divns/registry.h"
#include "divns/tensors.h"
#include "kernels/vectors.h"
#include "models/registry.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;
using testing::TempFolder;

TrainConfig small_config(const std::string& model) {
  TrainConfig config;
  config.model = model;
  config.embedding_dim = 12;
  config.batch_size = 256;
  config.epochs = 7;
  config.eval_every = 2;
  config.optimizer.learning_rate = 0.01;
  return config;
}

// A stand-in for Recall: how far positives of a few users lie above item 0.
double mean_margin(const Interactions& train, const VectorTable& users, const VectorTable& items) {
  double sum = 0;
  for (uint32_t u = 0; u < 20; ++u)
    for (const uint32_t i : train.row(u))
      sum += double{dot(users.row(u), items.row(i), users.stride)} -
             double{dot(users.row(u), items.row(0), users.stride)};
  return sum;
}

struct TestRun {
  explicit TestRun(const TrainConfig& config, const OwnedInteractions& data, int threads,
                   uint64_t schedule = 0)
      : executor(threads, schedule),
        trainer(
            config, {find_model(config.model).make(), find_sampler(config.sampler).make()},
            data.view(),
            [train = data.view()](const VectorTable& users, const VectorTable& items) {
              return mean_margin(train, users, items);
            },
            executor) {}
  std::vector<double> train_all() {
    std::vector<double> losses;
    while (!trainer.finished()) losses.push_back(trainer.run_epoch().loss);
    return losses;
  }
  std::vector<float> result() {
    const auto [users, items] = trainer.finish();
    std::vector<float> all(users.data, users.data + size_t{users.rows} * users.stride);
    all.insert(all.end(), items.data, items.data + size_t{items.rows} * items.stride);
    return all;
  }
  Executor executor;
  Trainer trainer;
};

class EveryModel : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryModel, SameBitsForAnyThreadsAndSchedule) {
  const OwnedInteractions data = random_interactions(150, 90, 8, 1);
  const TrainConfig config = small_config(GetParam());
  TestRun one(config, data, 1);
  const auto losses = one.train_all();
  EXPECT_LT(losses.back(), losses.front());
  const auto expected = one.result();
  for (const int threads : {2, 7}) {
    TestRun other(config, data, threads, static_cast<uint64_t>(threads));
    EXPECT_EQ(other.train_all(), losses);
    EXPECT_EQ(other.result(), expected);
  }
}

TEST_P(EveryModel, SameBitsWhenSavedAndLoadedAfterEveryEpoch) {
  const OwnedInteractions data = random_interactions(150, 90, 8, 1);
  for (const OptimizerKind kind :
       {OptimizerKind::kAdam, OptimizerKind::kLazyAdam, OptimizerKind::kSgd}) {
    TrainConfig config = small_config(GetParam());
    config.optimizer.kind = kind;
    config.patience_epochs = 2;
    TestRun straight(config, data, 2);
    straight.train_all();
    const TempFolder folder;
    auto parted = std::make_unique<TestRun>(config, data, 1);
    while (!parted->trainer.finished()) {
      parted->trainer.run_epoch();
      TensorWriter out;
      parted->trainer.save(out);
      out.write(folder.path() / "state");
      parted = std::make_unique<TestRun>(config, data, 2);
      parted->trainer.load(TensorReader(folder.path() / "state"));
    }
    EXPECT_EQ(parted->trainer.epochs_done(), straight.trainer.epochs_done());
    EXPECT_EQ(parted->result(), straight.result());
  }
}

TEST_P(EveryModel, OptionsTrainToFiniteVectors) {
  const OwnedInteractions data = random_interactions(60, 40, 6, 2);
  for (const bool unit : {false, true})
    for (const PairOrder order : {PairOrder::kShuffle, PairOrder::kUserUniform}) {
      TrainConfig config = small_config(GetParam());
      config.epochs = 2;
      config.embedding_dim = 5;
      config.negatives = 3;
      config.objective.unit_items = unit;
      config.pairs = order;
      config.init = Initialisation::kNormal;
      config.drop_last = true;
      TestRun run(config, data, 2);
      run.train_all();
      for (const float x : run.result()) ASSERT_TRUE(std::isfinite(x));
      const VectorTable items = run.trainer.current_vectors().items;
      for (uint32_t i = 0; unit && i + 1 < items.rows; ++i) {
        const float norm = dot(items.row(i), items.row(i), items.stride);
        EXPECT_NEAR(norm, norm == 0 ? 0 : 1, 1e-5);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::Values("mf", "lightgcn"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Trainer, RestoresTheBestWeights) {
  const OwnedInteractions data = random_interactions(60, 40, 6, 2);
  TrainConfig config = small_config("mf");
  config.eval_every = 1;
  config.eval_first = true;
  config.patience_epochs = 3;
  const Executor executor(1);
  // The third validation is the best; the fourth to sixth end the run.
  const double values[] = {.1, .2, .3, .29, .28, .27, .9};
  size_t asked = 0;
  const auto values_of = [](const VectorTable& table) {
    return std::vector<float>(table.data, table.data + size_t{table.rows} * table.stride);
  };
  std::vector<float> best_users;
  std::vector<float> best_items;
  Trainer trainer(
      config, {find_model("mf").make(), find_sampler("rns").make()}, data.view(),
      [&](const VectorTable& users, const VectorTable& items) {
        if (asked == 2) {
          best_users = values_of(users);
          best_items = values_of(items);
        }
        return values[asked++];
      },
      executor);
  while (!trainer.finished()) trainer.run_epoch();
  EXPECT_EQ(trainer.epochs_done(), 6U);
  EXPECT_EQ(trainer.early_stopping().best_epoch(), 2U);
  const auto [users, items] = trainer.finish();
  EXPECT_EQ(values_of(users), best_users);
  EXPECT_EQ(values_of(items), best_items);
}

TEST(Trainer, RefusesToTrainOnNothing) {
  const OwnedInteractions data({{}, {0, 1}}, 2);
  EXPECT_ERROR(TestRun(small_config("mf"), data, 1), "nothing to train on: 0 training pairs");
}

TEST(Trainer, SaysWhenTrainingDiverges) {
  const OwnedInteractions data = random_interactions(60, 40, 6, 2);
  TrainConfig config = small_config("mf");
  config.optimizer.kind = OptimizerKind::kSgd;
  config.optimizer.learning_rate = 1e30;
  TestRun run(config, data, 1);
  EXPECT_ERROR(run.train_all(), "training has diverged. The likely cause: learning_rate is 1e+30");
}

TEST(Trainer, StopsAtTheEpochWhoseLastStepDiverges) {
  const OwnedInteractions data = random_interactions(60, 40, 6, 2);
  TrainConfig config = small_config("mf");
  config.batch_size = 1 << 20;  // one step per epoch: its loss is finite, its update is not
  config.optimizer.kind = OptimizerKind::kSgd;
  config.optimizer.learning_rate = 1e39;
  TestRun run(config, data, 1);
  EXPECT_ERROR(run.train_all(), "the parameters after epoch 0 are not finite");
}

TEST(Trainer, NamesTheOptionThatMadeItDiverge) {
  const OwnedInteractions data = random_interactions(60, 40, 6, 2);
  TrainConfig config = small_config("mf");
  config.init = Initialisation::kNormal;
  config.init_std = 1e30;
  TestRun run(config, data, 1);
  EXPECT_ERROR(run.train_all(), "init_std is 1e+30");
}

TEST(TrainConfig, ProtocolsSetWhatIsNotSetOtherwise) {
  TrainConfig config;
  Options options;
  config.declare(options);
  options.set("protocol", "mixgcf", OptionSource::kFlag);
  options.set("drop_last", "false", OptionSource::kFile);
  config.apply_protocol(options);
  EXPECT_EQ(config.patience_epochs, 50);
  EXPECT_TRUE(config.eval_first);
  EXPECT_FALSE(config.drop_last);
}

}  // namespace
}  // namespace divns
