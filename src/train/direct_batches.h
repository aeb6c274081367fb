// SPDX-License-Identifier: Apache-2.0
// Batches of a model whose vectors are its parameters, with negatives that are items and drawn
// beforehand. All that ScoredBatch, BatchGradients and Optimizer do, with the same bits, but rows
// travel less: since an epoch's reads are known, no row is visited only to be caught up (ReadPlan),
// and a batch is three passes:
//   by user: scores, slopes and the user's gradient, while the items are at hand;
//   by item: the gradient and, since nobody reads the old item any more, the step;
//   by user: the step.
// Each pass goes by the homes of the rows (Grouping), so a row's vector and moments stay with one
// core. What else a batch needs (statistics, sums) goes beside the passes, and batches are grouped
// some at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "base/parallel.h"
#include "base/table.h"
#include "models/model.h"
#include "samplers/sampler.h"
#include "train/config.h"
#include "train/epoch_pairs.h"
#include "train/grouping.h"
#include "train/loss.h"
#include "train/negative_statistics.h"
#include "train/optimizer.h"
#include "train/read_plan.h"

namespace divns {

class DirectBatches {
 public:
  // Whether a training is made of such batches.
  static bool fit(const TrainConfig& config, const Model& model, const EpochPairs& pairs,
                  const Sampler& sampler, const Optimizer& optimizer);
  // The optimiser's tables are users (0) and items (1).
  DirectBatches(const LossOptions& options, const Model& model, const EpochPairs& pairs,
                Optimizer& optimizer, NegativeStatistics& statistics, const Executor& executor);

  // Draws for all rows, and makes every vector what it will be when it is first read.
  void begin_epoch(Sampler& sampler);
  // One after another, for every batch of the epoch: the pass that only reads, and those that move.
  void score(size_t batch);
  void step(size_t batch);
  // Of the batch just done, as in ScoredBatch and BatchGradients.
  double loss() const { return loss_; }
  double hardness() const { return hardness_; }

 private:
  static constexpr size_t kUsers = 0;
  static constexpr size_t kItems = 1;

  // Two workers fill the two sides, each on cache lines of its own.
  struct alignas(128) Grouped {
    Grouped(uint32_t user_count, uint32_t item_count) : users(user_count), items(item_count) {}
    Batch batch;
    Grouping users;
    std::vector<uint32_t> places;  // of the batch's rows in users.entries()
    std::vector<uint32_t> next_user_reads;
    alignas(128) Grouping items;
    std::span<const uint32_t> negatives;  // K a row
    std::vector<uint32_t> next_item_reads;
  };
  // A weighted sum of rows in the making, and the sum; one a worker, on cache lines of its own.
  struct alignas(128) Scratch {
    AlignedVector<uint32_t> ids;
    AlignedVector<float> weights;
    AlignedVector<float> sum;

    void add(uint32_t id, float weight);
    void store(const VectorTable& table, float* out);
  };
  Grouped& grouped(size_t batch) { return grouped_[batch % grouped_.size()]; }
  void group_from(size_t batch);
  void group_users(size_t batch);
  void group_items(size_t batch);
  void score_row(const Grouped& now, const float* user, size_t place);
  void score_user(const Grouped& now, size_t slot, Scratch& scratch);
  void step_item(const Grouped& now, size_t slot, Scratch& scratch);
  void sum_up(const Grouped& now);

  LossOptions options_;
  const EpochPairs& pairs_;
  Optimizer& optimizer_;
  NegativeStatistics& statistics_;
  const Executor& executor_;
  EmbeddingView view_;
  size_t per_row_ = 1;
  ReadPlan plan_;
  std::vector<Grouped> grouped_;  // this batch and some that follow
  std::vector<Scratch> scratch_;
  Table user_gradients_;
  // By place, so that a worker writes side by side; negatives K a place.
  std::vector<float> positive_scores_;
  std::vector<float> negative_scores_;
  std::vector<float> positive_slopes_;
  std::vector<float> negative_slopes_;
  std::vector<double> losses_;
  std::vector<double> squares_;  // of regularised vectors: users, then items
  double loss_ = 0;
  double hardness_ = 0;
};

}  // namespace divns
