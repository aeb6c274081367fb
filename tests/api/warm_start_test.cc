// SPDX-License-Identifier: Apache-2.0
// Trainings that begin with an earlier model.
#include <gtest/gtest.h>

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "divns/divns.h"
#include "support/errors.h"
#include "support/model_bytes.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

// The first users and items of one world, with ids that do not sort like their numbers.
Dataset world(uint32_t users, uint32_t items) {
  PairColumns pairs;
  std::vector<std::string> user_ids;
  std::vector<std::string> item_ids;
  for (uint32_t u = 0; u < users; ++u)
    for (uint32_t i = 0; i < items; ++i)
      if ((u * 7 + i * 3) % 5 < 2) {
        user_ids.push_back("u" + std::to_string(u));
        item_ids.push_back("i" + std::to_string(i));
      }
  pairs.users = std::span<const std::string>(user_ids);
  pairs.items = std::span<const std::string>(item_ids);
  const std::span<const std::string> none;
  return Dataset::from_parts(pairs, {none, none}, {none, none});
}

TrainOptions options_of(const std::string& model, int epochs) {
  TrainOptions options{.model = model, .seed = 3};
  options.embedding_dim = 12;
  options.epochs = epochs;
  options.batch_size = 64;
  options.learning_rate = 0.05;
  return options;
}

std::vector<float> row_of(const VectorTable& table, uint32_t row) {
  return {table.row(row), table.row(row) + table.dim};
}

class WarmStart : public ::testing::TestWithParam<const char*> {};

TEST_P(WarmStart, NoEpochOnTheSameDataGivesTheSameVectors) {
  const Dataset data = world(30, 20);
  TrainOptions options = options_of(GetParam(), 4);
  const divns::Run first = train(data, options);
  options.epochs = 0;
  options.seed = 8;
  options.initial_model = &first.model();
  const divns::Run second = train(data, options);
  EXPECT_EQ(second.result().epochs, 0U);
  EXPECT_EQ(second.model().content_hash(), first.model().content_hash());
}

TEST_P(WarmStart, ScoresByCosineContinueAtTheLengthOfTheParameters) {
  const Dataset data = world(30, 20);
  TrainOptions options = options_of(GetParam(), 2);
  options.set("similarity", "cosine");
  const divns::Run first = train(data, options);
  EXPECT_TRUE(first.model().has_parameters());
  options.epochs = 0;
  options.initial_model = &first.model();
  const divns::Run second = train(data, options);
  EXPECT_EQ(second.model().content_hash(), first.model().content_hash());
  EXPECT_EQ(row_of(second.model().user_parameters(), 3),
            row_of(first.model().user_parameters(), 3));
}

TEST_P(WarmStart, KeepsKnownRowsByIdAndStartsNewOnesAfresh) {
  const Dataset small = world(30, 20);
  const Dataset large = world(45, 26);
  const divns::Run first = train(small, options_of(GetParam(), 4));
  TrainOptions options = options_of(GetParam(), 0);
  const divns::Run fresh = train(large, options);
  options.initial_model = &first.model();
  const divns::Run grown = train(large, options);
  EXPECT_EQ(grown.model().users(), 45U);
  const VectorTable now = grown.model().user_parameters();
  const VectorTable before = first.model().user_parameters();
  size_t known = 0;
  for (uint32_t user = 0; user < large.users(); ++user) {
    const auto old = first.model().find_user(large.user_id(user));
    known += old ? 1U : 0U;
    EXPECT_EQ(row_of(now, user),
              old ? row_of(before, *old) : row_of(fresh.model().user_parameters(), user))
        << large.user_id(user);
  }
  EXPECT_EQ(known, 30U);
  const auto item = *grown.model().find_item("i7");
  EXPECT_EQ(row_of(grown.model().item_parameters(), item),
            row_of(first.model().item_parameters(), *first.model().find_item("i7")));
}

TEST_P(WarmStart, TrainsOnFromThereWithTheSameBitsForAnyThreads) {
  const Dataset large = world(45, 26);
  const divns::Run first = train(world(30, 20), options_of(GetParam(), 6));
  TrainOptions options = options_of(GetParam(), 2);
  const divns::Run fresh = train(large, options);
  options.initial_model = &first.model();
  options.threads = 1;
  const divns::Run one = train(large, options);
  EXPECT_LT(one.result().last_loss, fresh.result().last_loss);
  for (const int threads : {2, 7}) {
    options.threads = threads;
    EXPECT_EQ(testing::model_bytes(train(large, options).model()),
              testing::model_bytes(one.model()))
        << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, WarmStart, ::testing::Values("mf", "lightgcn"),
                         [](const auto& test) { return std::string(test.param); });

TEST(WarmStartOf, ModelsThatDoNotFitAreRefused) {
  const Dataset data = world(30, 20);
  const divns::Run first = train(data, options_of("mf", 1));
  TrainOptions options = options_of("mf", 1);
  options.initial_model = &first.model();
  options.embedding_dim = 13;
  EXPECT_ERROR(train(data, options), "embedding_dim = 12");
  options = options_of("lightgcn", 1);
  options.initial_model = &first.model();
  EXPECT_ERROR(train(data, options), "must be of the same kind");
  options = options_of("mf", 1);
  options.initial_model = &first.model();
  EXPECT_ERROR(train(Dataset::synthetic({.users = 50, .items = 40, .pairs = 600}), options),
               "no user and no item in common");
  options.set("blocks", "2x2");
  EXPECT_ERROR(train(data, options), "does not go with training over blocks");
}

TEST(WarmStartOf, ARunIsResumedWithTheModelThatItBeganWith) {
  const testing::TempFolder folder;
  const Dataset data = world(30, 20);
  const divns::Run first = train(data, options_of("mf", 1));
  const divns::Run other = train(data, options_of("mf", 2));
  TrainOptions options = options_of("mf", 3);
  options.initial_model = &first.model();
  const std::string whole = testing::model_bytes(train(data, options).model());
  options.folder = folder.path() / "run";
  options.checkpoint_seconds = 0;
  std::atomic<bool> stop = true;
  EXPECT_FALSE(train(data, options, {.stop = &stop}).result().finished);
  options.resume = true;
  options.initial_model = &other.model();
  EXPECT_ERROR(train(data, options), "did not begin with the same initial model");
  options.initial_model = nullptr;
  EXPECT_ERROR(train(data, options), "did not begin with the same initial model");
  options.initial_model = &first.model();
  EXPECT_EQ(testing::model_bytes(train(data, options).model()), whole);
}

}  // namespace
}  // namespace divns
