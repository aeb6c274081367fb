// SPDX-License-Identifier: Apache-2.0
// The promise of a training over blocks: the same bits on one process in memory, on disk, and on
// any number of ranks, also after a resume.
#include "blocks/block_trainer.h"

#include <gtest/gtest.h>

#include <string>

#include "blocks/outcomes.h"
#include "support/errors.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::Assignments;
using testing::numbers_of;
using testing::Outcome;
using testing::pairs;
using testing::Resolved;
using testing::Where;

Outcome train(const Assignments& assignments, const Where& where, uint32_t until = 4,
              const std::filesystem::path& file = {}) {
  return testing::train_on_ranks<BlockTrainer>(assignments, where, until, file);
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
