// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/embedding_view.h"
#include "base/parallel.h"
#include "base/table.h"
#include "samplers/sampler.h"
#include "train/loss.h"

namespace divns {

// Vectors by number: row ids[j] of a table.
struct ScoredRows {
  VectorTable table;
  const uint32_t* ids;

  const float* operator[](size_t j) const { return table.row(ids[j]); }
};

// The rows of a batch against their positives and negatives: vectors that are no row of a table
// are formed, then come scores, losses, and the loss's slope by each score.
class ScoredBatch {
 public:
  ScoredBatch(const LossOptions& options, uint32_t dim, const Executor& executor);

  // The view holds raw pooled items.
  void score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view);
  // dLoss/dvector of negatives that are free vectors.
  const Table& free_vector_gradients(const Batch& batch, const Negatives& negatives,
                                     const EmbeddingView& view);

  // The vectors that were scored.
  ScoredRows positives(const Batch& batch, const EmbeddingView& view) const;
  ScoredRows negatives_of(const Negatives& negatives, const EmbeddingView& view) const;
  const float* negative(const Negatives& negatives, const EmbeddingView& view, size_t number) const;

  // Every negative is one item at every hop with weight 1, and its vector is the item's row.
  bool plain() const { return plain_; }
  // Vectors that are not rows of the item table: positives (unit length) in rows 0 .. B - 1,
  // negatives from B on.
  const Table& formed() const { return formed_; }
  size_t formed_negative(size_t number) const { return losses_.size() + number; }
  // 1/|x| of what formed row x was before it was scaled; 1 where nothing is.
  float inverse_norm(size_t formed_row) const {
    return options_.unit_items ? inverse_norms_[formed_row] : 1.0F;
  }
  // The negatives' mixtures at hop 0, for the regulariser.
  const Table& formed_ego() const { return formed_ego_; }

  // Of row b's positive, and of negative n: s, and dLoss/ds.
  float positive_score(size_t b) const { return positive_scores_[b]; }
  float positive_slope(size_t b) const { return positive_slopes_[b]; }
  float negative_score(size_t n) const { return negative_scores_[n]; }
  float negative_slope(size_t n) const { return negative_slopes_[n]; }
  size_t negatives() const { return negative_slopes_.size(); }

  // (1/B) sum_b weight_b loss_b.
  double loss() const { return loss_; }
  // Mean of s(u, negative) - s(u, positive).
  double hardness() const { return hardness_; }

 private:
  void form(const Batch& batch, const Negatives& negatives, const EmbeddingView& view, size_t b);
  void form_negative(const Negatives& negatives, const EmbeddingView& view, size_t number);
  void normalise(size_t formed_row);

  LossOptions options_;
  const Executor& executor_;
  bool plain_ = true;
  std::vector<uint32_t> negative_ids_;  // into the item table, or into formed_
  std::vector<uint32_t> formed_ids_;    // 0, 1, 2, ...
  Table formed_;
  Table formed_ego_;
  std::vector<float> inverse_norms_;
  std::vector<float> positive_scores_;
  std::vector<float> negative_scores_;
  std::vector<float> positive_slopes_;
  std::vector<float> negative_slopes_;
  std::vector<double> losses_;  // one a row
  double loss_ = 0;
  double hardness_ = 0;
  Table free_gradients_;
};

}  // namespace divns
