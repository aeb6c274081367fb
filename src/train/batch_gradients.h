// SPDX-License-Identifier: Apache-2.0
// The loss of a batch and its gradients by the vectors of the model (docs/training.md):
//   L = (1/B) sum_b weight_b loss_b(x_b) + l2/(2B) sum_b (|e_u|^2 + |e_pos|^2 + sum_k |neg_k|^2),
// the norms being those of hop-0 vectors, mixed ones for mixed negatives. Every row of gradient is
// summed by one worker, in the order of the batch.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "base/table.h"
#include "models/model.h"
#include "samplers/sampler.h"
#include "train/grouping.h"
#include "train/scored_batch.h"

namespace divns {

// Groupings that may hold a batch's entries already; null where there are none.
struct KnownGroupings {
  const Grouping* users = nullptr;
  const Grouping* items = nullptr;
};

class BatchGradients {
 public:
  BatchGradients(const LossOptions& options, uint32_t users, uint32_t items, uint32_t dim, int hops,
                 const Executor& executor);
  ~BatchGradients();

  // First: scores the rows. The view holds raw pooled items.
  void score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view) {
    scored_.score(batch, negatives, view);
  }
  const ScoredBatch& scored() const { return scored_; }
  // Then, where negatives are free vectors: dLoss/dvector of each.
  const Table& free_vector_gradients(const Batch& batch, const Negatives& negatives,
                                     const EmbeddingView& view) {
    return scored_.free_vector_gradients(batch, negatives, view);
  }
  // Last: the sums by row, with the sampler's own gradients.
  void accumulate(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                  const ExtraGradients& extra, const KnownGroupings& known = {});

  const RowGradients& users() const { return users_; }
  const RowGradients& items() const { return items_; }
  // The loss of the batch, once accumulated.
  double loss() const { return scored_.loss() + regulariser_; }

 private:
  struct Scratch;

  void list_entries(const Batch& batch, const Negatives& negatives, const ExtraGradients& extra);
  void sum_user(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                const ExtraGradients& extra, size_t slot, Scratch& scratch);
  void sum_item(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                const ExtraGradients& extra, size_t slot, Scratch& scratch);
  void add_extra(const ExtraGradients& extra, size_t entry, size_t slot, RowGradients& side) const;
  // Ask for rows that sum_user and sum_item will read.
  void prefetch_user(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                     size_t slot) const;
  void prefetch_item(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                     size_t slot) const;
  // Puts what is regularised where it belongs: into the pool for one hop, beside it for more.
  float* ego_row(RowGradients& side, size_t slot) const;
  void prepare(RowGradients& side, const Grouping& groups, bool by_hop) const;

  LossOptions options_;
  int hops_;
  const Executor& executor_;
  ScoredBatch scored_;
  // Of the batch: a known grouping where it fits, otherwise our own.
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
  std::vector<double> squares_;  // of regularised vectors, one a slot
  double regulariser_ = 0;
  std::vector<Scratch> scratch_;
};

}  // namespace divns
