// SPDX-License-Identifier: Apache-2.0
// A schedule for models whose vectors are their parameters, with negatives that are single items
// and are drawn before the epoch. The mathematics is that of BatchGradients (train/row_math.h) and
// the results have the same bits, but rows are read and written less often. Because all reads of an
// epoch are known, no row is visited only to be caught up (ReadPlan), and a batch takes three
// passes:
//   over users: scores, slopes and the gradient of the user, while the items are in the cache;
//   over items: the gradient and then the step, since no later pass reads the old item;
//   over users: the step.
// The passes are divided by the homes of the rows (Grouping), so that the same core works on the
// vector and the moments of a row in every batch. Statistics and sums run in parallel with the
// passes, and several batches are grouped at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/aligned.h"
#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "models/model.h"
#include "train/config.h"
#include "train/epoch_pairs.h"
#include "train/grouping.h"
#include "train/negative_statistics.h"
#include "train/optimizer.h"
#include "train/read_plan.h"
#include "train/row_math.h"

namespace divns {

class DirectBatches {
 public:
  // Whether this schedule can run the training.
  static bool fit(const TrainConfig& config, const Model& model, const EpochPairs& pairs,
                  const Sampler& sampler, const Optimizer& optimizer);
  // Table 0 of the optimizer holds the users, table 1 the items.
  DirectBatches(const ObjectiveOptions& options, const Loss& loss, const Model& model,
                const EpochPairs& pairs, Optimizer& optimizer, NegativeStatistics& statistics,
                const Executor& executor);

  // Draws the negatives of the epoch, and advances every row to its first read.
  void begin_epoch(Sampler& sampler);
  // For every batch of the epoch in order: score() only reads, step() moves the rows.
  void score(size_t batch);
  void step(size_t batch);
  // Of the last batch, as in BatchGradients and RowScores.
  double loss() const { return loss_; }
  double hardness() const { return hardness_; }

 private:
  static constexpr size_t kUsers = 0;
  static constexpr size_t kItems = 1;

  // Two workers fill the two sides, on separate cache lines.
  struct alignas(128) Grouped {
    Grouped(uint32_t user_count, uint32_t item_count) : users(user_count), items(item_count) {}
    Batch batch;
    Grouping users;
    std::vector<uint32_t> places;  // of the rows of the batch in users.entries()
    std::vector<uint32_t> next_user_reads;
    alignas(128) Grouping items;
    std::span<const uint32_t> negatives;  // K per row
    std::vector<uint32_t> next_item_reads;
  };
  // One per worker, on separate cache lines.
  struct alignas(128) Scratch {
    WeightedRows terms;
    AlignedVector<float> sum;
  };
  Grouped& grouped(size_t batch) { return grouped_[batch % grouped_.size()]; }
  void group_from(size_t batch);
  void group_users(size_t batch);
  void group_items(size_t batch);
  void score_home(const Grouped& now, size_t home, Scratch& scratch);
  void score_user(const Grouped& now, size_t slot);
  void sum_user(const Grouped& now, size_t slot, Scratch& scratch);
  void step_item(const Grouped& now, size_t slot, Scratch& scratch);
  void sum_up(const Grouped& now);

  ObjectiveOptions options_;
  const Loss& row_loss_;
  const EpochPairs& pairs_;
  Optimizer& optimizer_;
  NegativeStatistics& statistics_;
  const Executor& executor_;
  EmbeddingView view_;
  size_t per_row_ = 1;
  ReadPlan plan_;
  std::vector<Grouped> grouped_;  // the current batch and some that follow
  std::vector<Scratch> scratch_;
  Table user_gradients_;
  RowScores rows_;  // by place, so that a worker writes neighbouring entries
  Penalty penalty_;
  std::vector<double> squares_;  // weighted squared norms: users, then items
  double loss_ = 0;
  double hardness_ = 0;
};

}  // namespace divns
