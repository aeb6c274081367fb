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

namespace divns {

struct LossOptions {
  double l2 = 1e-4;
  // Penalise the items that a negative is mixed from, each by itself, instead of the mixture.
  bool regularise_parts = false;
  // Whatever is scored as an item, mixtures included, is scaled to unit length first.
  bool unit_items = false;
};

class BatchGradients {
 public:
  BatchGradients(const LossOptions& options, uint32_t users, uint32_t items, uint32_t dim, int hops,
                 const Executor& executor);
  ~BatchGradients();

  // First: scores the rows. The view holds raw pooled items.
  void score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view);
  // The vector that was scored as negative `number`.
  const float* negative(const Negatives& negatives, const EmbeddingView& view, size_t number) const;
  // Then, where negatives are free vectors: dLoss/dvector of each.
  const Table& free_vector_gradients(const Batch& batch, const Negatives& negatives,
                                     const EmbeddingView& view);
  // Last: the sums by row, with the sampler's own gradients.
  void accumulate(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                  const ExtraGradients& extra);

  const RowGradients& users() const { return users_; }
  const RowGradients& items() const { return items_; }
  // The loss of the batch, once accumulated.
  double loss() const { return ranking_loss_ + regulariser_; }
  // Mean of s(u, negative) - s(u, positive).
  double hardness() const { return hardness_; }

 private:
  struct Rows;
  struct Scratch;

  void form(const Batch& batch, const Negatives& negatives, const EmbeddingView& view, size_t b);
  void form_negative(const Negatives& negatives, const EmbeddingView& view, size_t number);
  void normalise(size_t formed_row);
  Rows positives(const Batch& batch, const EmbeddingView& view) const;
  Rows negatives_of(const Negatives& negatives, const EmbeddingView& view) const;
  void list_entries(const Batch& batch, const Negatives& negatives, const ExtraGradients& extra);
  void sum_user(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                const ExtraGradients& extra, size_t slot, Scratch& scratch);
  void sum_item(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                const ExtraGradients& extra, size_t slot, Scratch& scratch);
  void add_extra(const ExtraGradients& extra, size_t entry, size_t slot, RowGradients& side) const;
  // Puts what is regularised where it belongs: into the pool for one hop, beside it for more.
  float* ego_row(RowGradients& side, size_t slot) const;
  void prepare(RowGradients& side, const Grouping& groups, bool by_hop) const;

  LossOptions options_;
  int hops_;
  const Executor& executor_;

  // Plain: every negative is one item at every hop with weight 1, and its vector is the item's row.
  bool plain_ = true;
  size_t batch_rows_ = 0;
  std::vector<uint32_t> negative_ids_;  // into the item table, or into formed_
  std::vector<uint32_t> formed_ids_;    // 0, 1, 2, ...
  // Vectors scored that are not rows of the item table: positives (unit length) in rows 0 .. B - 1,
  // negatives from B on. And the hop-0 mixtures, for the regulariser.
  Table formed_;
  Table formed_ego_;
  std::vector<float> inverse_norms_;  // of formed_, where it was scaled
  std::vector<float> positive_scores_;
  std::vector<float> negative_scores_;
  std::vector<float> positive_slopes_;  // dLoss / ds(u, positive)
  std::vector<float> negative_slopes_;  // dLoss / ds(u, negative)
  std::vector<double> losses_;
  double ranking_loss_ = 0;
  double regulariser_ = 0;
  double hardness_ = 0;

  Grouping user_groups_;
  Grouping item_groups_;
  std::vector<uint32_t> user_keys_;
  std::vector<uint32_t> user_entries_;  // what each key stands for; see list_entries
  std::vector<uint32_t> item_keys_;
  std::vector<uint32_t> item_entries_;
  RowGradients users_;
  RowGradients items_;
  std::vector<double> squares_;  // of regularised vectors, one a slot
  Table free_gradients_;
  std::vector<Scratch> scratch_;
};

}  // namespace divns
