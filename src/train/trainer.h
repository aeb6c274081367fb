// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/snapshot.h"
#include "divns/stopwatch.h"
#include "divns/train.h"
#include "models/model.h"
#include "train/batch_gradients.h"
#include "train/config.h"
#include "train/direct_batches.h"
#include "train/early_stopping.h"
#include "train/epoch_pairs.h"
#include "train/epoch_trainer.h"
#include "train/negative_statistics.h"
#include "train/optimizer.h"
#include "train/rows_read.h"
#include "train/sampler_optimizer.h"
#include "train/setup.h"
#include "train/shared_gradients.h"

namespace divns {

// The metric of these vectors on the validation part; larger is better.
using Validate = std::function<double(const VectorTable& users, const VectorTable& items)>;

// Trains one model, epoch by epoch.
class Trainer final : public EpochTrainer {
 public:
  // Without a validation the training ends after config.epochs, and the last parameters are the
  // result.
  Trainer(const TrainConfig& config, TrainerParts parts, const Interactions& train,
          Validate validate, const Executor& executor);

  // Additional knowledge for the reports on negatives. Does not change the training.
  void set_known_likes(KnownLikes known) { statistics_.set_known(std::move(known)); }

  EpochReport run_epoch(const std::function<void(double)>& between_batches = {}) override;
  uint32_t epochs_done() const override { return epochs_done_; }
  std::vector<UserSnapshot> snapshots() const override;
  bool finished() const override;
  const EarlyStopping& early_stopping() const override { return stopping_; }
  Vectors finish() override;
  Vectors parameters() override;
  // The current vectors.
  Vectors current_vectors();

  void save(TensorWriter& out) override;
  void load(const TensorReader& in) override;

  // Ends the trainer: hands over all that a trainer of the same model needs to continue
  // (TrainerParts::state), after steps without gradients up to step `until`.
  TrainingState release(uint64_t until);

 private:
  void run_batch(Batch batch, EpochReport& report);
  void score_batch(const Batch& batch, EpochReport& report, Stopwatch& watch);
  void run_direct_batch(size_t index, EpochReport& report);
  EmbeddingView scoring_view() const;
  void refresh_all();
  void require_finite_parameters(uint32_t epoch) const;
  void validate(EpochReport& report);

  TrainConfig config_;
  const Executor& executor_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Loss> loss_;
  SideInputs inputs_;  // outlive the sampler
  std::unique_ptr<Sampler> sampler_;
  Validate validate_;
  EpochPairs pairs_;
  Optimizer optimizer_;
  SamplerOptimizer sampler_optimizer_;
  BatchGradients gradients_;
  std::optional<SharedGradients> shared_;  // if the sampler shares negatives
  NegativeStatistics statistics_;
  std::vector<uint32_t> recorded_users_;
  std::optional<DirectBatches> direct_;  // if they fit
  EarlyStopping stopping_;
  uint32_t epochs_done_ = 0;

  RowsRead rows_;
  Negatives negatives_;
  ExtraGradients extra_;
  Table best_users_;
  Table best_items_;
};

}  // namespace divns
