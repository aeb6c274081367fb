// SPDX-License-Identifier: Apache-2.0
#include "losses/block.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace divns {

BlockLogSum block_log_sum_exp(BlockRow& row, double scale) {
  const float top = largest_of_row(row.x, row.columns);
  const auto sum =
      double{exponentials(static_cast<float>(scale), top, row.log_weights, row.x, row.columns)};
  return {scale * double{top} + std::log(sum * row.count / row.total), sum};
}

void softmax_block(const LossBlock& block, double scale, bool positive_in_denominator) {
  for_each_block_row(block, [&](BlockRow& row) {
    const double positive = scale * double{row.positive_score};
    const BlockLogSum negatives = block_log_sum_exp(row, scale);
    double log_sum = negatives.value;
    double negative_share = 1;
    if (positive_in_denominator) {
      const double top = std::max(positive, negatives.value);
      log_sum = top + std::log(std::exp(positive - top) + std::exp(negatives.value - top));
      negative_share = std::exp(negatives.value - log_sum);
    }
    row.factor = static_cast<float>(scale * negative_share / negatives.sum);
    row.positive_slope = static_cast<float>(-scale * negative_share);
    return log_sum - positive;
  });
}

// A row at a time, because rows have different numbers of negatives that count.
void Loss::block(const LossBlock& block) const {
  std::vector<float> scores;
  std::vector<float> slopes;
  std::vector<float> importance;
  std::vector<size_t> columns;
  for (size_t r = 0; r < block.rows(); ++r) {
    const auto row = block.scores.subspan(r * block.step, block.columns);
    scores.clear();
    importance.clear();
    columns.clear();
    for (size_t j = 0; j < row.size(); ++j) {
      if (row[j] == -std::numeric_limits<float>::infinity()) continue;
      columns.push_back(j);
      scores.push_back(row[j]);
      if (!block.weights.empty())
        importance.push_back(static_cast<float>(double{block.weights[j]} / block.weight_sums[r]));
    }
    slopes.resize(scores.size());
    const auto of_row = [r](auto values) { return values.empty() ? values : values.subspan(r, 1); };
    rows({.negatives_per_row = scores.size(),
          .positive_scores = of_row(block.positive_scores),
          .negative_scores = scores,
          .users = of_row(block.users),
          .importance = importance,
          .row_weights = of_row(block.row_weights),
          .share = block.share},
         {.losses = of_row(block.losses),
          .positive_slopes = of_row(block.positive_slopes),
          .negative_slopes = slopes});
    std::fill(row.begin(), row.end(), 0.0F);
    for (size_t k = 0; k < columns.size(); ++k) row[columns[k]] = slopes[k];
  }
}

}  // namespace divns
