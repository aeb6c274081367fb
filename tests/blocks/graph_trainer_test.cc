// SPDX-License-Identifier: Apache-2.0
// LightGCN over user blocks: the same bits on any number of ranks and threads, also after a resume,
// and the mathematics of the training without blocks.
#include "blocks/graph_trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "blocks/gradient_sum.h"
#include "blocks/outcomes.h"
#include "models/lightgcn.h"
#include "support/errors.h"
#include "support/tables.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::Assignments;
using testing::Outcome;
using testing::Resolved;
using testing::Where;

class GraphBits : public ::testing::TestWithParam<Assignments> {
 protected:
  Assignments with(const char* blocks) const {
    Assignments all = GetParam();
    all.push_back("model=lightgcn");
    all.push_back(std::string("blocks=") + blocks);
    return all;
  }
  Outcome train(const char* blocks, const Where& where, uint32_t until = 4,
                const std::filesystem::path& file = {}) const {
    return testing::train_on_ranks<GraphTrainer>(with(blocks), where, until, file);
  }
};

TEST_P(GraphBits, OneBlockIsTheTrainingWithoutBlocks) {
  const Executor executor(2);
  Resolved plain(with("1x1"));
  Trainer trainer(plain.setup.config(), plain.setup.take_parts(), testing::pairs().view(), {},
                  executor);
  std::vector<double> losses;
  for (int epoch = 0; epoch < 4; ++epoch) losses.push_back(trainer.run_epoch().loss);
  const Outcome blocked = train("1x1", {.validates = false});
  EXPECT_EQ(blocked.losses, losses);
  EXPECT_EQ(blocked.vectors, testing::numbers_of(trainer.finish()));
}

TEST_P(GraphBits, ThreadsAndRanksDoNotMatter) {
  for (const char* blocks : {"4x1", "3x1"}) {
    const Outcome alone = train(blocks, {.threads = 1});
    EXPECT_EQ(alone.losses.size(), 4U);
    EXPECT_EQ(alone, train(blocks, {.threads = 3}));
    EXPECT_EQ(alone, train(blocks, {.ranks = 2}));
    EXPECT_EQ(alone, train(blocks, {.ranks = 3, .threads = 1}));
    if (blocks[0] == '4') {
      EXPECT_EQ(alone, train(blocks, {.ranks = 4, .threads = 1}));
    }
  }
}

TEST_P(GraphBits, ResumedWithAnotherNumberOfRanks) {
  const Outcome whole = train("4x1", {});
  for (const auto& [first, second] : {std::pair(1, 4), std::pair(4, 2), std::pair(2, 1)}) {
    const testing::TempFolder folder;
    const auto file = folder.path() / "checkpoint";
    train("4x1", {.ranks = first}, 2, file);
    EXPECT_EQ(train("4x1", {.ranks = second}, 4, file).vectors, whole.vectors);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GraphBits,
    ::testing::Values(Assignments{"sampler=rns"}, Assignments{"sampler=divns"},
                      Assignments{"sampler=dns", "negatives=2", "layers=1"},
                      Assignments{"sampler=divns", "similarity=cosine", "layers=2"},
                      Assignments{"loss=softmax", "negatives=3", "optimizer=sgd"}));

// Vectors and gradients are the same however the users are divided, up to rounding.
TEST(LightGcnOverBlocks, BlocksChangeRoundingAlone) {
  const Interactions train = testing::pairs().view();
  const Executor executor(2);
  const auto started = [&](const UserBlocks* blocks) {
    auto model = make_lightgcn();
    Options options;
    model->declare(options);
    model->start({train, executor, 6, false, blocks});
    const Table users = testing::random_table(train.users(), 6, 1);
    const Table items = testing::random_table(train.item_count, 6, 2);
    std::copy_n(users.data(), users.size(), model->user_parameters().data());
    std::copy_n(items.data(), items.size(), model->item_parameters().data());
    return model;
  };
  SingleProcess alone;
  const std::vector<uint32_t> degrees = item_counts(train);
  const UserBlocks blocks{
      .count = 3, .bounds = {0, 20, 21, train.users()}, .item_degrees = degrees, .ranks = &alone};
  const auto plain = started(nullptr);
  const auto cut = started(&blocks);
  GradientSum users(train.users(), 6, executor);
  GradientSum items(train.item_count, 6, executor);
  RowGradients some{.rows = {}, .slots = {}, .pooled = Table(), .ego = Table(), .hops = {}};
  const std::vector<uint32_t> rows = {3, 7, 20, 33};
  some.rows = rows;
  some.pooled = testing::random_table(4, 6, 3);
  some.ego = testing::random_table(4, 6, 4);
  users.add(some, 0, 1);
  items.add(some, 0, 1);
  const auto expect_near = [](const VectorTable& a, const VectorTable& b) {
    for (uint32_t row = 0; row < a.rows; ++row)
      for (uint32_t k = 0; k < a.dim; ++k) EXPECT_NEAR(a.row(row)[k], b.row(row)[k], 1e-5) << row;
  };
  ParameterGradients results[2][2];
  const RowGradients& by_users = users.sum();
  const RowGradients& by_items = items.sum();
  for (int i = 0; i < 2; ++i) {
    Model& model = i == 0 ? *plain : *cut;
    model.forward({}, {});
    if (i == 1) {
      expect_near(plain->view().users, cut->view().users);
      expect_near(plain->view().items, cut->view().items);
    }
    model.backward(by_users, by_items, results[i][0], results[i][1]);
  }
  expect_near(results[0][0].values->view(), results[1][0].values->view());
  expect_near(results[0][1].values->view(), results[1][1].values->view());
}

// Blocks add their gradients in their order, each with its share.
TEST(GradientSum, AddsTheEntriesOfARow) {
  const Executor executor(1);
  GradientSum sum(10, 2, executor);
  const auto block = [](const std::vector<uint32_t>& rows, float value) {
    RowGradients gradients{.rows = rows,
                           .slots = {},
                           .pooled = Table(static_cast<uint32_t>(rows.size()), 2),
                           .ego = Table(static_cast<uint32_t>(rows.size()), 2),
                           .hops = {}};
    for (size_t j = 0; j < rows.size(); ++j) {
      gradients.pooled.row(j)[0] = value + static_cast<float>(j);
      gradients.ego.row(j)[1] = value;
    }
    return gradients;
  };
  const std::vector<uint32_t> first = {4, 2};
  const std::vector<uint32_t> second = {2, 0};
  for (int turn = 0; turn < 2; ++turn) {  // nothing is left of the step before
    sum.clear();
    sum.add(block(first, 8), 1, 0.25F);
    sum.add(block(second, 16), 1, 0.5F);
    const RowGradients& result = sum.sum();
    ASSERT_EQ(result.rows.size(), 3U);
    EXPECT_EQ(result.pooled.row(result.slots[5])[0], 2);
    EXPECT_EQ(result.pooled.row(result.slots[3])[0], 2.25F + 8);
    EXPECT_EQ(result.pooled.row(result.slots[1])[0], 8.5F);
    EXPECT_EQ(result.ego.row(result.slots[3])[1], 2 + 8);
  }
}

// The hardest of all candidates are no random choice. With one step per epoch, blocks of different
// sizes then make the steps of a training without blocks, up to rounding.
TEST(GraphTrainer, AStepIsTheMeanOverItsRows) {
  Assignments assignments = {"model=lightgcn",        "layers=2",        "sampler=dns",
                             "dns.candidates=50",     "batch_size=4000", "optimizer=sgd",
                             "dns.replacement=false", "learning_rate=60"};
  const Outcome plain = testing::train_on_ranks<GraphTrainer>(assignments, {});
  assignments.emplace_back("blocks=7x1");
  const Outcome cut = testing::train_on_ranks<GraphTrainer>(assignments, {.ranks = 2});
  ASSERT_EQ(plain.losses.size(), cut.losses.size());
  EXPECT_GT(std::abs(plain.losses.back() - plain.losses.front()), 1e-3);  // the steps are large
  for (size_t epoch = 0; epoch < plain.losses.size(); ++epoch)
    EXPECT_NEAR(plain.losses[epoch], cut.losses[epoch], 1e-5);
  for (size_t i = 0; i < plain.vectors.size(); ++i)
    EXPECT_NEAR(plain.vectors[i], cut.vectors[i], 1e-4);
}

TEST(GraphTrainer, BlocksAndSeedsChangeTheResult) {
  const auto train = [](Assignments assignments) {
    assignments.push_back("model=lightgcn");
    return testing::train_on_ranks<GraphTrainer>(assignments, {}).vectors;
  };
  EXPECT_NE(train({}), train({"blocks=2x1"}));
  EXPECT_NE(train({"blocks=2x1"}), train({"blocks=2x1", "seed=2"}));
}

TEST(GraphTrainer, RefusesWhatBlocksCannotTrain) {
  EXPECT_THROW(Resolved({"blocks=2x2", "model=lightgcn"}), Error);
  EXPECT_THROW(Resolved({"blocks=2x1", "model=lightgcn", "sampler=mixgcf"}), Error);
  EXPECT_THROW(Resolved({"blocks=2x1", "model=lightgcn", "lightgcn.precision=bfloat16"}), Error);
  EXPECT_NO_THROW(Resolved({"blocks=2x1", "model=lightgcn", "sampler=dns"}));
}

}  // namespace
}  // namespace divns
