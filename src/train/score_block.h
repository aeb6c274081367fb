// SPDX-License-Identifier: Apache-2.0
// The scores of B rows with M shared negatives, their losses and the gradients by the vectors:
//   S = U V^T,  slopes P = dL/dS (Loss::block),  dU = P V,  dV = P^T U,
// with U of B x d and V of M x d. A panel of some rows x M is scored, turned into slopes and
// multiplied while it is in the second-level cache, so that B x M numbers are never stored. Groups
// of rows, whose size depends on B alone, sum their shares of dV, and the shares are added in the
// order of the groups: the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "divns/aligned.h"
#include "divns/loss.h"
#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "kernels/gemm.h"
#include "train/shared_columns.h"

namespace divns {

class ScoreBlock {
 public:
  ScoreBlock(const Loss& loss, const Interactions& train, uint32_t dim, const Executor& executor);
  ~ScoreBlock();

  // `users` and `items` are the tables of scored vectors.
  void compute(const Batch& batch, const SharedNegatives& shared,
               std::span<const float> row_weights, const VectorTable& users,
               const VectorTable& items);

  // dL/d vector of the user of row b through the negatives; and of negative j.
  const Table& user_gradients() const { return user_gradients_; }
  const Table& item_gradients() const { return item_gradients_; }
  // dL/d score of the positive of row b.
  float positive_slope(size_t b) const { return positive_slopes_[b]; }
  // The gathered vectors of the users and of the positives of the rows.
  const Table& users() const { return rows_; }
  const Table& positives() const { return positives_; }
  double loss() const;      // (1/B) sum_b weight_b loss_b
  double hardness() const;  // mean over rows of the mean of s(u, negative) - s(u, positive)

 private:
  struct Scratch;

  void score_positives_alone(const Batch& batch);
  void gather(const Batch& batch, const VectorTable& users, const VectorTable& items,
              const SharedNegatives& shared);
  void score_rows(const Batch& batch, size_t begin, size_t end, Scratch& scratch, float* gradients,
                  bool onto);
  void mask_row(uint32_t user, size_t b, float* scores);
  void keep_hardest(size_t b, float* scores, Scratch& scratch);
  void drop_empty_rows(size_t begin, size_t end, float* scores);

  const Loss& loss_;
  const Executor& executor_;
  SharedColumns columns_;
  size_t count_ = 0;    // M
  size_t step_ = 0;     // floats per row of a panel
  size_t hardest_ = 0;  // 0: all negatives count
  std::span<const float> row_weights_;
  std::vector<float> log_weights_;
  std::vector<float> weights_;  // their exponentials, and their sum
  double weight_sum_ = 0;

  Table rows_;                         // B x d: the users
  Table positives_;                    // B x d
  Table negatives_;                    // M x d
  PackedMatrix to_scores_;             // V^T
  PackedMatrix to_users_;              // V
  AlignedVector<float> negative_sum_;  // d: the sum of V
  std::vector<float> positive_scores_;
  std::vector<float> positive_slopes_;
  std::vector<double> losses_;
  std::vector<double> hardness_;     // of each row
  std::vector<uint32_t> counts_;     // of each row: negatives that count
  std::vector<double> weight_sums_;  // of each row
  Table user_gradients_;
  Table item_gradients_;
  std::vector<Table> group_gradients_;
  std::vector<Scratch> scratch_;
};

}  // namespace divns
