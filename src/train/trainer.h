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
#include "train/batch_pass.h"
#include "train/config.h"
#include "train/direct_batches.h"
#include "train/early_stopping.h"
#include "train/epoch_trainer.h"
#include "train/optimizer.h"
#include "train/sampler_optimizer.h"
#include "train/setup.h"

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
  void set_known_likes(KnownLikes known) { pass_.statistics().set_known(std::move(known)); }

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
  void run_batch(size_t index, EpochReport& report);
  void run_direct_batch(size_t index, EpochReport& report);
  void refresh_all();
  void validate(EpochReport& report);

  TrainConfig config_;
  const Executor& executor_;
  std::unique_ptr<Model> model_;
  BatchPass pass_;
  Validate validate_;
  Optimizer optimizer_;
  SamplerOptimizer sampler_optimizer_;
  std::vector<uint32_t> recorded_users_;
  std::optional<DirectBatches> direct_;  // if they fit
  EarlyStopping stopping_;
  uint32_t epochs_done_ = 0;

  Table best_users_;
  Table best_items_;
};

}  // namespace divns
