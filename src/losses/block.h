// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/loss.h"
#include "kernels/block_rows.h"

namespace divns {

// One row of a LossBlock. Of x, a loss makes something proportional to the derivatives: d loss / d
// score_j = factor x_j. Factors common to the row (its weight and 1/B) are applied by
// for_each_block_row.
struct BlockRow {
  size_t number;
  float positive_score;
  float* x;  // scores
  size_t columns;
  const float* weights;      // null for equal weights
  const float* log_weights;  // likewise
  double count;              // number of negatives that count
  double total;              // sum of their weights: what divides a weighted sum to give a mean
  float factor = 0;          // to be written
  float positive_slope = 0;  // d loss / d positive score, to be written
};

// Calls row_loss(BlockRow&), which returns the loss, for every row.
template <class RowLoss>
void for_each_block_row(const LossBlock& block, RowLoss&& row_loss) {
  const bool equal = block.weights.empty();
  for (size_t r = 0; r < block.rows(); ++r) {
    const auto count = static_cast<double>(block.counts[r]);
    BlockRow row{.number = r,
                 .positive_score = block.positive_scores[r],
                 .x = block.scores.data() + r * block.step,
                 .columns = block.columns,
                 .weights = equal ? nullptr : block.weights.data(),
                 .log_weights = equal ? nullptr : block.log_weights.data(),
                 .count = count,
                 .total = equal ? count : block.weight_sums[r]};
    const double loss = row_loss(row);
    const float weight = block.row_weights.empty() ? 1.0F : block.row_weights[r];
    block.losses[r] = double{weight} * loss;
    block.positive_slopes[r] = weight * block.share * row.positive_slope;
    scale_row(weight * block.share * row.factor, row.x, row.columns);
  }
}

// log sum_j K a_j exp(scale s_j) over the K negatives of the row that count, with a_j = weight_j /
// total; without weights K a_j = 1. Leaves in row.x something proportional to the terms, with sum
// `sum`. Finite for any finite scores.
struct BlockLogSum {
  double value;
  double sum;
};
BlockLogSum block_log_sum_exp(BlockRow& row, double scale);

// The softmax loss with temperature 1 / scale (losses/softmax.h).
void softmax_block(const LossBlock& block, double scale, bool positive_in_denominator);

}  // namespace divns
