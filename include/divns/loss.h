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
//
// rows() is for K negatives per row. Where the rows of a batch share M negatives, block() is called
// instead. By default it hands the negatives of each row to rows().
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
  bool shared_negatives = false;    // the rows of a batch share their negatives: block() is called
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

// Scores of R rows with the same M negatives, and where the results are written. Negatives that do
// not count for a row (its own positives) have the score -infinity there, and every row has at
// least one that counts. Negative j of row r is entry r * step + j of an array.
struct LossBlock {
  size_t columns = 0;                      // M
  size_t step = 0;                         // >= M
  std::span<const float> positive_scores;  // R
  std::span<float> scores;                 // R x step: scores, to be replaced by the slopes
  std::span<const uint32_t> users = {};    // R
  std::span<const uint32_t> counts;        // R: number of negatives that count for the row
  // Weights of the negatives in sums and means, with their logarithms; empty for equal weights.
  std::span<const float> weights = {};       // M
  std::span<const float> log_weights = {};   // M
  std::span<const double> weight_sums = {};  // R: sum of the weights that count for the row
  std::span<const float> row_weights = {};   // R; empty means 1
  float share = 1;                           // 1/B
  std::span<double> losses;                  // R, as in LossOutput
  std::span<float> positive_slopes;          // R

  size_t rows() const { return positive_scores.size(); }
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

  // Whether the loss has negatives at all. Without, the sampler is not used, and rows() is called
  // with none.
  virtual bool needs_negatives() const { return true; }
  // The weight of (1/2) (uniformity of the users + uniformity of the positives of the batch), which
  // the trainer adds. Only with cosines, and where the negatives are shared or there are none.
  virtual double uniformity_weight() const { return 0; }

  // Whether block() works. A loss that joins users needs a block() and block_positives() of its own
  // for that.
  virtual bool takes_blocks() const { return !joins_users(); }
  // The same as rows() with the negatives of each row that count, and with importance
  // weight_j / weight_sum where there are weights. Called from any thread.
  virtual void block(const LossBlock& block) const;
  // Only for a loss that joins users, called once after block() for all rows of the batch: adds
  // what the positives contribute. `scores` has no negatives.
  virtual void block_positives(const LossInput& /*scores*/, const LossOutput& /*out*/) const {}
};

}  // namespace divns
