// SPDX-License-Identifier: Apache-2.0
// The objective of a batch (train/row_math.h) and its gradients by the vectors of the model, for
// any model and any sampler. Every row of the gradient is summed by one worker, in the order of the
// batch.
#pragma once

#include <cstdint>
#include <vector>

#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "models/model.h"
#include "train/grouping.h"
#include "train/scored_batch.h"

namespace divns {

// Groupings that may already hold the entries of a batch; null if there are none.
struct KnownGroupings {
  const Grouping* users = nullptr;
  const Grouping* items = nullptr;
};

class BatchGradients {
 public:
  BatchGradients(const ObjectiveOptions& options, const Loss& loss, uint32_t users, uint32_t items,
                 uint32_t dim, int hops, const Executor& executor);
  ~BatchGradients();

  // First: scores the rows, with the arguments of ScoredBatch::score.
  void score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
             const EmbeddingView& scored) {
    scored_.score(batch, negatives, view, scored);
  }
  void score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view) {
    score(batch, negatives, view, view);
  }
  const ScoredBatch& scored() const { return scored_; }
  // Then, where negatives are free vectors: dLoss/dvector of each.
  const Table& free_vector_gradients(const Batch& batch, const Negatives& negatives) {
    return scored_.free_vector_gradients(batch, negatives);
  }
  // Last call: sums the gradients by row, including those of the sampler.
  void accumulate(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                  const ExtraGradients& extra, const KnownGroupings& known = {});

  const RowGradients& users() const { return users_; }
  const RowGradients& items() const { return items_; }
  // The loss of the batch, after accumulate().
  double loss() const { return scored_.totals().loss + regulariser_; }

 private:
  struct Scratch;

  void list_entries(const Batch& batch, const Negatives& negatives, const ExtraGradients& extra);
  void sum_user(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                const ExtraGradients& extra, size_t slot, Scratch& scratch);
  void sum_item(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                const ExtraGradients& extra, size_t slot, Scratch& scratch);
  // The penalty's share in the gradient by an item that is term `t` of negative `n`, at hop 0.
  // Returns how often the item's own squared norm counts.
  double add_negative_penalty(const Negatives& negatives, size_t n, size_t t, size_t rows,
                              Scratch& scratch) const;
  void add_extra(const ExtraGradients& extra, size_t entry, size_t slot, RowGradients& side) const;
  // Prefetch rows that sum_user and sum_item will read.
  void prefetch_user(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                     size_t slot) const;
  void prefetch_item(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                     size_t slot) const;
  // The row that the gradient by hop-0 vectors is added to: that of the pooled vector if there is
  // one hop, a row of its own otherwise.
  float* ego_row(RowGradients& side, size_t slot) const;
  void prepare(RowGradients& side, const Grouping& groups, bool by_hop) const;

  ObjectiveOptions options_;
  Penalty penalty_;  // of the batch
  BroadcastPenalty broadcast_penalty_;
  bool broadcasts_penalty_ = false;  // in this batch
  int hops_;
  const Executor& executor_;
  ScoredBatch scored_;
  // The groupings of the batch: known ones if they fit, otherwise our own.
  const Grouping* user_groups_ = nullptr;
  const Grouping* item_groups_ = nullptr;
  Grouping own_user_groups_;
  Grouping own_item_groups_;
  std::vector<uint32_t> user_keys_;
  std::vector<uint32_t> user_entries_;  // what each key stands for; see list_entries
  std::vector<uint32_t> item_keys_;
  std::vector<uint32_t> item_entries_;
  RowGradients users_;
  RowGradients items_;
  std::vector<double> squares_;  // weighted squared norms, one per slot: users, then items
  double regulariser_ = 0;
  std::vector<Scratch> scratch_;
};

}  // namespace divns
