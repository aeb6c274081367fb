// SPDX-License-Identifier: Apache-2.0
// Batches whose reads are known beforehand against the batches of every other training: the same
// sampler, once as it is and once without saying that it draws ahead.
#include "train/direct_batches.h"

#include <gtest/gtest.h>

#include "divns/registry.h"
#include "models/registry.h"
#include "support/interactions.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

class WithoutForesight final : public Sampler {
 public:
  explicit WithoutForesight(std::unique_ptr<Sampler> sampler) : sampler_(std::move(sampler)) {}
  void start(const SamplerContext& context) override { sampler_->start(context); }
  void propose(const Batch& batch, RowsToRead& rows) override { sampler_->propose(batch, rows); }
  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    sampler_->choose(batch, view, negatives);
  }

 private:
  std::unique_ptr<Sampler> sampler_;
};

struct Outcome {
  std::vector<float> vectors;
  std::vector<double> figures;  // losses, hardness and what was drawn, of every epoch
};

Outcome outcome(const TrainConfig& config, std::unique_ptr<Sampler> sampler,
                const OwnedInteractions& data, const Executor& executor) {
  Trainer trainer(config, {find_model("mf").make(), std::move(sampler)}, data.view(), Validate(),
                  executor);
  Outcome result;
  while (!trainer.finished()) {
    const EpochReport report = trainer.run_epoch();
    result.figures.push_back(report.loss);
    result.figures.push_back(report.hardness);
    for (const auto& [name, value] : report.negatives->named()) result.figures.push_back(value);
  }
  const auto [users, items] = trainer.finish();
  for (const VectorTable& table : {users, items})
    result.vectors.insert(result.vectors.end(), table.data,
                          table.data + size_t{table.rows} * table.stride);
  return result;
}

TEST(DirectBatches, HaveTheBitsOfOtherBatches) {
  const OwnedInteractions data = random_interactions(150, 90, 8, 1);
  for (const char* name : {"rns", "pns"})
    for (const int negatives : {1, 3})
      for (const bool drop_last : {false, true}) {
        TrainConfig config;
        config.embedding_dim = 12;
        config.batch_size = 100;
        config.epochs = 20;  // past the steps that Adam replays one by one
        config.negatives = negatives;
        config.drop_last = drop_last;
        config.objective.l2 = 0.01;
        config.optimizer.learning_rate = 0.01;
        const Outcome expected =
            outcome(config, std::make_unique<WithoutForesight>(find_sampler(name).make()), data,
                    Executor(1));
        for (const int threads : {1, 2, 7}) {
          const Executor executor(threads, static_cast<uint64_t>(threads - 1));
          const Outcome direct = outcome(config, find_sampler(name).make(), data, executor);
          EXPECT_EQ(direct.vectors, expected.vectors);
          EXPECT_EQ(direct.figures, expected.figures);
        }
      }
}

TEST(DirectBatches, HaveTheBitsOfOtherBatchesForEveryLoss) {
  const OwnedInteractions data = random_interactions(150, 90, 8, 1);
  const Executor executor(2);
  for (const LossEntry& loss : losses()) {
    if (!loss.make()->needs_negatives()) continue;
    for (const int negatives : {2, 3}) {
      SCOPED_TRACE(loss.name);
      TrainConfig config;
      config.loss = loss.name;
      config.embedding_dim = 12;
      config.batch_size = 100;
      config.epochs = 4;
      config.negatives = negatives;
      config.objective = {.l2 = 0.01, .l2_user = 0.02, .l2_positive = 0.003};
      config.optimizer.learning_rate = 0.01;
      if (loss.name == "ccl") config.objective.similarity = ScoreSimilarity::kCosine;
      const Outcome expected = outcome(
          config, std::make_unique<WithoutForesight>(find_sampler("rns").make()), data, executor);
      const Outcome direct = outcome(config, find_sampler("rns").make(), data, executor);
      EXPECT_EQ(direct.vectors, expected.vectors);
      EXPECT_EQ(direct.figures, expected.figures);
    }
  }
}

}  // namespace
}  // namespace divns
