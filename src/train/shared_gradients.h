// SPDX-License-Identifier: Apache-2.0
// The objective of a batch whose rows share their negatives, and its gradients by the vectors of
// the model: what BatchGradients is for negatives of each row. The L2 penalty counts each shared
// negative once:
//   L = (1/B) sum_b weight_b loss_b
//       + 1/(2B) (sum_b (l2_user |e_u|^2 + l2_positive |e_pos|^2) + l2_negative sum_j |neg_j|^2).
#pragma once

#include <cstdint>
#include <vector>

#include "divns/parallel.h"
#include "divns/sampler.h"
#include "models/model.h"
#include "train/batch_gradients.h"
#include "train/grouping.h"
#include "train/row_math.h"
#include "train/score_block.h"
#include "train/uniformity.h"

namespace divns {

class SharedGradients {
 public:
  SharedGradients(const ObjectiveOptions& options, const Loss& loss, const Interactions& train,
                  uint32_t dim, int hops, const Executor& executor);
  ~SharedGradients();

  // `view` holds the vectors of the model, `scored` those that are scored (of unit length for
  // cosines). The groupings hold the users of the batch, and what was read of items: the positives
  // of the batch and, if the sampler chose all that it read, the shared negatives after them.
  void compute(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
               const EmbeddingView& scored, const Grouping& users, const Grouping& items);

  const RowGradients& users() const { return users_; }
  const RowGradients& items() const { return items_; }
  double loss() const { return block_.loss() + uniformity_ + regulariser_; }
  double hardness() const { return block_.hardness(); }

 private:
  struct Scratch;

  float half_uniformity() const { return static_cast<float>(uniformity_weight_ / 2); }
  const Grouping& item_groups(const Batch& batch, std::span<const uint32_t> shared,
                              const Grouping& read);
  void prepare(RowGradients& side, const Grouping& groups) const;
  float* ego_row(RowGradients& side, size_t slot) const;
  void sum_user(const Batch& batch, const Grouping& groups, const EmbeddingView& view,
                const EmbeddingView& scored, size_t slot, Scratch& scratch);
  void sum_item(const Batch& batch, const Grouping& groups, const EmbeddingView& view,
                const EmbeddingView& scored, size_t slot, Scratch& scratch);

  ObjectiveOptions options_;
  int hops_;
  const Executor& executor_;
  ScoreBlock block_;
  // Of the loss; 0 where it has no such term.
  double uniformity_weight_;
  double uniformity_ = 0;
  Uniformity uniform_users_;
  Uniformity uniform_positives_;
  RowGradients users_;
  RowGradients items_;
  Penalty penalty_;
  Grouping own_items_;  // if the sampler chose some of what it read
  std::vector<uint32_t> item_keys_;
  std::vector<double> squares_;  // weighted squared norms: users, then items
  double regulariser_ = 0;
  std::vector<Scratch> scratch_;
};

}  // namespace divns
