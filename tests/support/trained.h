// SPDX-License-Identifier: Apache-2.0
// Whole small runs of a sampler, for promises about bits.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "divns/options.h"
#include "divns/registry.h"
#include "divns/tensors.h"
#include "models/registry.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "train/trainer.h"

namespace divns::testing {

struct SmallRun {
  Executor executor;
  std::unique_ptr<Trainer> trainer;

  SmallRun(const std::string& sampler_name, const std::string& model_name,
           const std::vector<std::pair<std::string, std::string>>& settings,
           const OwnedInteractions& data, int threads, uint64_t schedule = 0)
      : executor(threads, schedule) {
    TrainConfig config;
    config.embedding_dim = 12;
    config.batch_size = 256;
    config.epochs = 5;
    config.optimizer.learning_rate = 0.01;
    auto model = find_model(model_name).make();
    auto sampler = find_sampler(sampler_name).make();
    Options options;
    sampler->declare(options);
    for (const auto& [name, value] : settings) options.set(name, value, OptionSource::kSet);
    trainer = std::make_unique<Trainer>(config, TrainerParts{std::move(model), std::move(sampler)},
                                        data.view(), Validate(), executor);
  }
  // Vectors of users, then of items.
  std::vector<float> vectors() const {
    const auto [users, items] = trainer->current_vectors();
    std::vector<float> all(users.data, users.data + size_t{users.rows} * users.stride);
    all.insert(all.end(), items.data, items.data + size_t{items.rows} * items.stride);
    return all;
  }
};

// Trains five epochs with 1, 2 and 7 threads, and once more stopped and resumed after each epoch.
inline void expect_same_bits(const std::string& sampler, const std::string& model,
                             const std::vector<std::pair<std::string, std::string>>& settings) {
  const OwnedInteractions data = random_interactions(120, 90, 6, 1);
  std::vector<double> losses;
  std::vector<float> expected;
  {
    const SmallRun one(sampler, model, settings, data, 1);
    while (!one.trainer->finished()) losses.push_back(one.trainer->run_epoch().loss);
    expected = one.vectors();
  }
  EXPECT_LT(losses.back(), losses.front());
  for (const int threads : {2, 7}) {
    const SmallRun other(sampler, model, settings, data, threads, static_cast<uint64_t>(threads));
    for (const double loss : losses) EXPECT_EQ(other.trainer->run_epoch().loss, loss);
    EXPECT_EQ(other.vectors(), expected);
  }
  const TempFolder folder;
  auto parted = std::make_unique<SmallRun>(sampler, model, settings, data, 2);
  for (const double loss : losses) {
    EXPECT_EQ(parted->trainer->run_epoch().loss, loss);
    TensorWriter out;
    parted->trainer->save(out);
    out.write(folder.path() / "state");
    parted = std::make_unique<SmallRun>(sampler, model, settings, data, 1);
    parted->trainer->load(TensorReader(folder.path() / "state"));
  }
  EXPECT_EQ(parted->vectors(), expected);
}

}  // namespace divns::testing
