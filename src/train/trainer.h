// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/stopwatch.h"
#include "models/model.h"
#include "samplers/sampler.h"
#include "train/batch_gradients.h"
#include "train/config.h"
#include "train/direct_batches.h"
#include "train/early_stopping.h"
#include "train/epoch_pairs.h"
#include "train/given_run.h"
#include "train/negative_statistics.h"
#include "train/optimizer.h"
#include "train/sampler_optimizer.h"

namespace divns {

// Where the seconds of an epoch went.
struct PhaseSeconds {
  double sampling = 0;  // order of the pairs, draws, choice of negatives
  double propagation = 0;
  double gradient = 0;
  double optimiser = 0;   // where a gradient is summed and used at once, the sum too
  double evaluation = 0;  // validation, and the statistics of what was drawn

  double total() const { return sampling + propagation + gradient + optimiser + evaluation; }
};

struct EpochReport {
  uint32_t epoch = 0;  // counted from 0
  size_t batches = 0;
  double loss = 0;               // sum of the batches' losses
  double hardness = 0;           // mean of s(u, negative) - s(u, positive)
  std::optional<double> metric;  // validation, where it was due
  bool improved = false;
  double best_metric = 0;
  uint32_t best_epoch = 0;
  PhaseSeconds seconds;
  std::optional<NegativeReport> negatives;              // what was drawn, on a sample of users
  std::vector<std::pair<std::string, double>> sampler;  // figures of the sampler's own
};

// Recall@20 (or what the caller likes, larger is better) of these vectors on the validation part.
using Validate = std::function<double(const VectorTable& users, const VectorTable& items)>;

// Trains one model, an epoch at a time. Same config and data, same bits: for any number of threads,
// and for a trainer that was saved, loaded and went on.
class Trainer {
 public:
  // Without a validation the run ends after config.epochs and the last weights are the result. With
  // a given run nothing is left to chance but what samplers beyond candidates and shares draw.
  Trainer(const TrainConfig& config, std::unique_ptr<Model> model, std::unique_ptr<Sampler> sampler,
          const Interactions& train, Validate validate, const Executor& executor,
          const GivenRun* given = nullptr);

  // What the reports on drawn negatives may also look at; changes nothing else.
  void set_known_likes(KnownLikes known) { statistics_.set_known(std::move(known)); }

  // The next epoch. `between_batches`, if set, is told the share of the epoch that is done. If it
  // throws, the epoch stays half done, and all that is left is to load another state.
  EpochReport run_epoch(const std::function<void(double)>& between_batches = {});
  uint32_t epochs_done() const { return epochs_done_; }
  bool finished() const;
  const EarlyStopping& early_stopping() const { return stopping_; }

  // Puts the best weights in place (the last, without validation) and returns the final vectors,
  // valid as long as the trainer is left alone. No epoch may follow.
  struct Vectors {
    VectorTable users;
    VectorTable items;
  };
  Vectors finish();
  // The vectors of the moment, all rows current.
  Vectors current_vectors();

  // Between epochs. Loading expects a trainer of the same config and data.
  void save(TensorWriter& out) const;
  void load(const TensorReader& in);

 private:
  void run_batch(Batch batch, EpochReport& report);
  void run_direct_batch(size_t index, EpochReport& report);
  void gather_rows(const Batch& batch);
  void refresh_unit_items();
  EmbeddingView scoring_view() const;
  void refresh_all();
  void validate(EpochReport& report);

  TrainConfig config_;
  const Executor& executor_;
  const GivenRun* given_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Sampler> sampler_;
  Validate validate_;
  EpochPairs pairs_;
  Optimizer optimizer_;
  SamplerOptimizer sampler_optimizer_;
  BatchGradients gradients_;
  NegativeStatistics statistics_;
  std::optional<DirectBatches> direct_;  // where they fit
  EarlyStopping stopping_;
  uint32_t epochs_done_ = 0;

  RowsToRead rows_to_read_;
  std::vector<uint32_t> item_keys_;
  Grouping users_read_;
  Grouping items_read_;
  Negatives negatives_;
  ExtraGradients extra_;
  Table unit_items_;
  bool prepared_ = false;  // whether the model has prepared its parameters as they are
  Table best_users_;
  Table best_items_;
};

}  // namespace divns
