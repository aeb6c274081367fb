// SPDX-License-Identifier: Apache-2.0
// What a training loss is. The trainer scores a positive item and K negatives for each row of a
// batch. A loss turns these scores into one number per row and its derivative by each score; the
// trainer carries the derivatives back to the embeddings. The training objective of a batch of B
// rows is
//   (1/B) sum_r weight_r loss_r  +  the L2 penalty, which the trainer adds.
//
// A loss is called for some rows at a time, never for a single score, from several threads. It
// must treat each row by itself: how a batch is cut into calls depends on the schedule, and the
// result must not depend on it. The exception is a loss whose joins_users() is true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "divns/interactions.h"

namespace divns {

class Options;

// What a loss may know about the run; all of it outlives the loss.
struct LossContext {
  Interactions train;
  uint64_t seed = 1;
  int negatives = 1;                // K, negatives per positive
  size_t batch_size = 0;            // largest number of rows in a batch
  bool cosine = false;              // scores are cosines, not inner products
  bool weighted_negatives = false;  // the sampler gives importance weights
};

// Scores of R rows. Entry (r, k) of an R x K array is at r * K + k.
struct LossInput {
  size_t negatives_per_row = 1;            // K
  std::span<const float> positive_scores;  // R: s(u, positive)
  std::span<const float> negative_scores;  // R x K: s(u, negative k)
  std::span<const uint32_t> users = {};    // R: the users
  // R x K: weights given by the sampler, not negative, with sum 1 in each row; empty for none. A
  // loss holds them constant. Equal weights 1/K should give the loss without weights.
  std::span<const float> importance = {};
  std::span<const float> row_weights = {};  // R: factors of the rows' losses; empty means 1
  float share = 1;                          // 1/B, a factor of every derivative

  size_t rows() const { return positive_scores.size(); }
};

// Where a loss writes its results; every entry must be written.
struct LossOutput {
  std::span<double> losses;          // R: weight_r loss_r, without the factor 1/B
  std::span<float> positive_slopes;  // R: d(objective) / d(positive score), with the factor 1/B
  std::span<float> negative_slopes;  // R x K: d(objective) / d(negative score), likewise
};

class Loss {
 public:
  virtual ~Loss() = default;

  // Declares the options with their defaults; called before start. Names begin with the name of the
  // loss, as in "bpr.margin".
  virtual void declare(Options& /*options*/) {}
  // Called once, when every option has its value. Throws Error for settings that cannot work.
  virtual void start(const LossContext& /*context*/) {}
  // Whether the loss of a row depends on other rows of the same user in the batch. If so, a call
  // has all rows of each of its users, those of one user in the order of the batch.
  virtual bool joins_users() const { return false; }
  // Losses and slopes of some rows. Input and output do not overlap. Called from any thread.
  virtual void rows(const LossInput& scores, const LossOutput& out) const = 0;
};

}  // namespace divns
