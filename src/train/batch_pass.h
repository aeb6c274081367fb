// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/stopwatch.h"
#include "divns/train.h"
#include "train/batch_gradients.h"
#include "train/config.h"
#include "train/epoch_pairs.h"
#include "train/negative_statistics.h"
#include "train/rows_read.h"
#include "train/setup.h"
#include "train/shared_gradients.h"

namespace divns {

// The part of a training between the vectors of the model and their gradients: the training pairs
// of some users in batches, their negatives, and the loss. A Trainer has one for all users, a
// training of a graph over blocks one for each user block.
class BatchPass {
 public:
  // Takes the sampler, the loss and the inputs out of `parts`.
  BatchPass(const TrainConfig& config, TrainerParts& parts, const Interactions& train, int hops,
            const Executor& executor);

  EpochPairs& pairs() { return pairs_; }
  const EpochPairs& pairs() const { return pairs_; }
  Sampler& sampler() { return *sampler_; }
  const Sampler& sampler() const { return *sampler_; }
  const Loss& loss() const { return *loss_; }
  NegativeStatistics& statistics() { return statistics_; }
  // The rows that the batch reads.
  const RowsRead& rows() const { return rows_; }

  // The vectors that are scored, when every row of the model's is current.
  EmbeddingView scoring_view_of_all(const EmbeddingView& view);

  // Arranges the pairs and starts the sampler, which reads `view` (that of the model, every row
  // current) if it says so.
  void begin_epoch(uint32_t epoch, const EmbeddingView& view);

  // A batch: propose() finds the rows that it reads. When they are current, score() chooses the
  // negatives and computes the loss and its gradients by the vectors. Both add their times, score()
  // also loss and hardness, to the report.
  void propose(size_t index, uint64_t step, EpochReport& report);
  void score(const EmbeddingView& view, EpochReport& report);
  const RowGradients& users() const { return shared_ ? shared_->users() : gradients_.users(); }
  const RowGradients& items() const { return shared_ ? shared_->items() : gradients_.items(); }

 private:
  void score_shared(const EmbeddingView& view, EpochReport& report, Stopwatch& watch);

  TrainConfig config_;
  std::unique_ptr<Loss> loss_;
  SideInputs inputs_;  // outlive the sampler
  std::unique_ptr<Sampler> sampler_;
  EpochPairs pairs_;
  BatchGradients gradients_;
  std::optional<SharedGradients> shared_;  // if the sampler shares negatives
  NegativeStatistics statistics_;
  RowsRead rows_;
  Batch batch_;
  Negatives negatives_;
  ExtraGradients extra_;
};

}  // namespace divns
