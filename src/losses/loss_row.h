// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "divns/loss.h"

namespace divns {

// One row of a call to Loss::rows: its scores, and the derivatives that the loss writes. Factors
// common to the row (its weight and 1/B) are applied by for_each_row.
struct LossRow {
  size_t number;  // in the call
  float positive_score;
  std::span<const float> negative_scores;  // K
  std::span<const float> importance;       // K weights with sum 1; empty for none
  std::span<float> negative_slopes;        // K: d loss / d negative score, to be written
  float positive_slope = 0;                // d loss / d positive score, to be written

  // Weight of negative k in a mean over the negatives.
  double mean_weight(size_t k) const {
    return importance.empty() ? 1 / static_cast<double>(negative_scores.size())
                              : double{importance[k]};
  }
};

// Calls row_loss(LossRow&), which writes the slopes and returns the loss, for every row.
template <class RowLoss>
void for_each_row(const LossInput& in, const LossOutput& out, RowLoss&& row_loss) {
  const size_t each = in.negatives_per_row;
  for (size_t r = 0; r < in.rows(); ++r) {
    LossRow row{
        .number = r,
        .positive_score = in.positive_scores[r],
        .negative_scores = in.negative_scores.subspan(r * each, each),
        .importance = in.importance.empty() ? in.importance : in.importance.subspan(r * each, each),
        .negative_slopes = out.negative_slopes.subspan(r * each, each)};
    const double loss = row_loss(row);
    const float weight = in.row_weights.empty() ? 1.0F : in.row_weights[r];
    const float factor = weight * in.share;
    out.losses[r] = double{weight} * loss;
    out.positive_slopes[r] = factor * row.positive_slope;
    for (float& slope : row.negative_slopes) slope *= factor;
  }
}

}  // namespace divns
