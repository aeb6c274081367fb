// SPDX-License-Identifier: Apache-2.0
// The options broadcast_loss and broadcast_regulariser. Negative k of row b is a sum of two parts,
// a_bk = weight * e of its first term and c_bk = weight * e of its second one (0 if there is none).
// Without these options it is a_bk + c_bk. With them, row b has the negatives
//   x_bjk = a_bk + c_jk   for every row j of the batch of B rows.
// The B x B vectors are never formed:
//   loss:     sum_j exp(u_b.x_bjk) = exp(u_b.a_bk) sum_j exp(u_b.c_jk), so negative k has the score
//             s_bk = u_b.a_bk + log sum_j exp(u_b.c_jk), and any loss on K scores per row applies;
//   penalty:  sum_bj |x_bjk|^2 = B sum_b |a_bk|^2 + B sum_j |c_jk|^2 + 2 (sum_b a_bk).(sum_j c_jk).
// The released code of the DivNS authors trains with both (docs/divns.md).
#pragma once

#include <cstdint>
#include <vector>

#include "divns/aligned.h"
#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "divns/vectors.h"

namespace divns {

// Throws Error unless every negative has one or two terms at every hop.
void require_two_parts(const Negatives& negatives);

// The scores s_bk of a batch, and the gradients by the second parts. Entries of the tables are in
// the order of k, then of the rows: entry k * B + b.
class BroadcastScores {
 public:
  BroadcastScores(uint32_t dim, const Executor& executor);

  // Users are rows of `users`, by batch.users; items are rows of `items`, by the terms. Returns
  // false if no negative has a second part: then log sum_j exp(u_b.c_jk) = log B for all.
  bool score(const Batch& batch, const Negatives& negatives, const VectorTable& users,
             const VectorTable& items);
  // log sum_j exp(u_b.c_jk), and its derivative by u_b: the mean of c_jk with weights
  // p_bjk = exp(u_b.c_jk) / sum_j exp(u_b.c_jk).
  float log_sum(size_t entry) const { return log_sums_[entry]; }
  const float* mean(size_t entry) const { return means_.row(entry); }

  // After the loss: with slopes w_bk = dL/ds_bk in the order of negatives (b * K + k), computes
  // dL/dc_jk = sum_b w_bk p_bjk u_b for every j.
  void send_back(const std::vector<float>& slopes);
  const Table& second_gradients() const { return second_gradients_; }

 private:
  void transpose(const float* rows, AlignedVector<float>& out) const;
  float* tile(int worker);

  const Executor& executor_;
  size_t rows_ = 0;  // B
  size_t per_row_ = 1;
  Table users_;           // u_b
  Table weighted_users_;  // w_bk u_b
  Table seconds_;         // c_bk
  Table means_;
  Table second_gradients_;
  std::vector<float> log_sums_;
  AlignedVector<float> transposed_;          // dim x B
  std::vector<AlignedVector<float>> tiles_;  // one per worker
};

// The cross terms of the penalty. Sum 2k + part is sum_b of that part of negative k, at hop 0.
class BroadcastPenalty {
 public:
  explicit BroadcastPenalty(uint32_t dim) : sums_(0, dim) {}

  void sum(const Negatives& negatives, const VectorTable& ego);
  // sum_k 2 (sum_b a_bk).(sum_j c_jk)
  double cross_terms() const { return cross_terms_; }
  const Table& sums() const { return sums_; }
  // The sum whose vector is in the gradient by a term: that of the other part.
  static uint32_t other_part(size_t k, size_t term) {
    return static_cast<uint32_t>(2 * k + 1 - term);
  }

 private:
  Table sums_;
  double cross_terms_ = 0;
};

}  // namespace divns
