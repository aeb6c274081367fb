// SPDX-License-Identifier: Apache-2.0
// The promise of a training over blocks: the same bits on one process in memory, on disk, and on
// any number of ranks, also after a resume.
#include "blocks/block_trainer.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "blocks/thread_ranks.h"
#include "divns/options.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "train/trainer.h"

namespace divns {
namespace {

using Assignments = std::vector<std::string>;

struct Resolved {
  TrainingSetup setup;
  Options options;

  explicit Resolved(const Assignments& assignments) {
    setup.declare(options);
    for (const char* fixed :
         {"epochs=4", "batch_size=16", "embedding_dim=6", "eval_every=1", "learning_rate=0.05"})
      options.set_assignment(fixed, OptionSource::kSet);
    for (const std::string& assignment : assignments)
      options.set_assignment(assignment, OptionSource::kSet);
    setup.resolve(options);
  }
};

const testing::OwnedInteractions& pairs() {
  static const testing::OwnedInteractions owned = testing::random_interactions(90, 50, 8, 1);
  return owned;
}

// A stand-in for a metric: the sum of the scores of item 3, which peaks in the second epoch.
std::vector<float> scores_of_item(const UserRange& users, const VectorTable& vectors,
                                  const VectorTable& items) {
  std::vector<float> values;
  for (uint32_t row = 0; row < users.size(); ++row) {
    float sum = 0;
    for (uint32_t k = 0; k < items.dim; ++k) sum += vectors.row(row)[k] * items.row(3)[k];
    values.push_back(sum);
  }
  return values;
}

std::vector<float> numbers_of(const EpochTrainer::Vectors& vectors) {
  std::vector<float> all;
  for (const VectorTable& table : {vectors.users, vectors.items})
    for (uint32_t i = 0; i < table.rows; ++i)
      all.insert(all.end(), table.row(i), table.row(i) + table.dim);
  return all;
}

struct Where {
  int ranks = 1;
  bool on_disk = false;
  bool validates = true;
  int threads = 2;
};

struct Outcome {
  std::vector<float> vectors;
  std::vector<double> losses;
  std::vector<double> metrics;
  bool operator==(const Outcome&) const = default;
};

// Runs epochs up to `until`; continues from `file` if it exists, and writes it at the end.
Outcome train(const Assignments& assignments, const Where& where, uint32_t until = 4,
              const std::filesystem::path& file = {}) {
  Outcome outcome;
  const testing::TempFolder scratch;
  testing::ThreadRanks(where.ranks).run([&](Communicator& ranks) {
    const Resolved resolved(assignments);
    const Executor executor(where.threads);
    BlockTrainer trainer({resolved.setup.config(), [&] { return resolved.setup.make_parts(); },
                          pairs().view(), where.validates ? scores_of_item : ValidateUsers(),
                          executor, ranks,
                          where.on_disk ? scratch.path() : std::filesystem::path()});
    if (ranks.rank() != 0) return trainer.follow();
    if (!file.empty() && std::filesystem::exists(file)) trainer.load(TensorReader(file));
    while (trainer.epochs_done() < until) {
      const EpochReport report = trainer.run_epoch({});
      outcome.losses.push_back(report.loss);
      if (report.metric) outcome.metrics.push_back(*report.metric);
    }
    if (!file.empty()) {
      TensorWriter out;
      trainer.save(out);
      out.write(file);
    }
    outcome.vectors = numbers_of(trainer.finish());
    trainer.end();
  });
  return outcome;
}

class BlockBits : public ::testing::TestWithParam<Assignments> {
 protected:
  Assignments with(const char* blocks) const {
    Assignments all = GetParam();
    all.push_back(std::string("blocks=") + blocks);
    return all;
  }
};

// A grid of one cell is today's training.
TEST_P(BlockBits, OneCellIsTheTrainingWithoutBlocks) {
  const Resolved resolved(GetParam());
  Resolved plain(GetParam());
  const Executor executor(2);
  Trainer trainer(plain.setup.config(), plain.setup.take_parts(), pairs().view(), {}, executor);
  for (int epoch = 0; epoch < 4; ++epoch) trainer.run_epoch();
  EXPECT_EQ(train(GetParam(), {.validates = false}).vectors, numbers_of(trainer.finish()));
}

TEST_P(BlockBits, ThreadsRanksAndDisksDoNotMatter) {
  for (const char* blocks : {"4x4", "4x2", "2x3"}) {
    const Outcome alone = train(with(blocks), {.threads = 1});
    EXPECT_EQ(alone, train(with(blocks), {.threads = 3}));
    EXPECT_EQ(alone, train(with(blocks), {.on_disk = true}));
    EXPECT_EQ(alone, train(with(blocks), {.ranks = 2}));
    EXPECT_EQ(alone, train(with(blocks), {.ranks = 2, .on_disk = true}));
    if (blocks[0] == '4') {
      EXPECT_EQ(alone, train(with(blocks), {.ranks = 3}));
      EXPECT_EQ(alone, train(with(blocks), {.ranks = 4, .threads = 1}));
    }
  }
}

TEST_P(BlockBits, ResumedWithAnotherNumberOfRanks) {
  const std::vector<float> whole = train(with("4x4"), {}).vectors;
  int number = 0;
  for (const auto& [first, second] : {std::pair(1, 4), std::pair(4, 2), std::pair(2, 1)}) {
    const testing::TempFolder folder;
    const auto file = folder.path() / std::to_string(number++);
    train(with("4x4"), {.ranks = first}, 2, file);
    EXPECT_EQ(train(with("4x4"), {.ranks = second, .on_disk = first == 2}, 4, file).vectors, whole);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BlockBits,
    ::testing::Values(Assignments{"sampler=rns"}, Assignments{"sampler=dns", "negatives=2"},
                      Assignments{"sampler=divns"}, Assignments{"loss=softmax", "negatives=3"},
                      Assignments{"sampler=divns", "similarity=cosine"},
                      Assignments{"optimizer=lazy_adam"}, Assignments{"optimizer=sgd"}));

TEST(BlockTrainer, BlocksAndSeedsChangeTheResult) {
  const Outcome whole = train({}, {});
  const Outcome cut = train({"blocks=2x2"}, {});
  EXPECT_NE(whole.vectors, cut.vectors);
  EXPECT_NE(cut.vectors, train({"blocks=2x2", "seed=2"}, {}).vectors);
}

TEST(BlockTrainer, RefusesWhatBlocksCannotTrain) {
  EXPECT_THROW(Resolved({"blocks=2x2", "model=lightgcn"}), Error);
  EXPECT_THROW(Resolved({"blocks=2x2", "sampler=adasir"}), Error);
  EXPECT_THROW(Resolved({"blocks=2x2", "sampler=divns", "divns.timing=batch"}), Error);
  EXPECT_THROW(train({"blocks=2x51"}, {}), Error);
}

}  // namespace
}  // namespace divns
