// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/embedding_view.h"
#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "train/broadcast.h"
#include "train/row_math.h"

namespace divns {

// Vector j is row ids[j] of a table.
struct ScoredRows {
  VectorTable table;
  const uint32_t* ids;

  const float* operator[](size_t j) const { return table.row(ids[j]); }
};

// Scores the rows of a batch: forms the vectors that are not rows of a table, then computes scores,
// losses and slopes (RowScores, row b for row b of the batch).
class ScoredBatch {
 public:
  ScoredBatch(const ObjectiveOptions& options, const Loss& loss, uint32_t dim,
              const Executor& executor);

  // `view` holds the model's vectors. `scored` holds those that are scored: for cosines of unit
  // length, else the same. Both stay valid until the gradients of the batch are done.
  void score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
             const EmbeddingView& scored);
  void score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view) {
    score(batch, negatives, view, view);
  }
  // dLoss/dvector of negatives that are free vectors.
  const Table& free_vector_gradients(const Batch& batch, const Negatives& negatives);

  // The vectors that were scored: of the rows' users, positives and negatives.
  ScoredRows users(const Batch& batch) const { return {scored_.users, batch.users.data()}; }
  ScoredRows positives(const Batch& batch) const;
  ScoredRows negatives_of(const Negatives& negatives) const;
  const float* negative(const Negatives& negatives, size_t number) const {
    return negatives_of(negatives)[number];
  }
  // The scored vectors of the model, as given to score().
  const EmbeddingView& scored_view() const { return scored_; }

  // Every negative is one item at every hop with weight 1, and its vector is the item's row.
  bool plain() const { return plain_; }
  // Vectors that are not rows of the item table: positives (for unit_items) in rows 0 .. B - 1,
  // negatives from B on.
  const Table& formed() const { return formed_; }
  size_t formed_negative(size_t number) const { return rows_.rows() + number; }
  // 1/|x|, where x is a formed row before it was scaled; 1 if rows are not scaled.
  float inverse_norm(size_t formed_row) const {
    return options_.scales_items() ? inverse_norms_[formed_row] : 1.0F;
  }
  // The negatives at hop 0, for the L2 penalty.
  const Table& formed_ego() const { return formed_ego_; }

  // For broadcast_loss: dLoss by the second parts of the negatives (BroadcastScores), or null if
  // there are none in this batch.
  const Table* second_gradients() const {
    return has_seconds_ ? &broadcast_.second_gradients() : nullptr;
  }

  const RowScores& rows() const { return rows_; }
  const RowScores::Totals& totals() const { return totals_; }

 private:
  void form(const Batch& batch, const Negatives& negatives, const EmbeddingView& view, size_t b);
  // Replaces the scores of the negatives by those over all rows of the batch, and applies the loss.
  void broadcast(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                 float share);
  void form_negative(const Negatives& negatives, const EmbeddingView& view, size_t number);

  ObjectiveOptions options_;
  const Loss& loss_;
  const Executor& executor_;
  EmbeddingView scored_;
  bool plain_ = true;
  std::vector<uint32_t> negative_ids_;  // into the item table, or into formed_
  std::vector<uint32_t> formed_ids_;    // 0, 1, 2, ...
  Table formed_;
  Table formed_ego_;
  std::vector<float> inverse_norms_;
  RowScores rows_;
  BroadcastScores broadcast_;
  bool has_seconds_ = false;
  std::vector<float> slopes_;
  RowScores::Totals totals_ = {};
  Table free_gradients_;
};

}  // namespace divns
