// SPDX-License-Identifier: Apache-2.0
#include "losses/bpr.h"

#include <algorithm>
#include <cmath>

#include "losses/block.h"
#include "losses/softplus.h"

namespace divns {
namespace {

// Both replace x_k by the derivative of the row's loss by x_k.
double bpr_weighted(std::span<const float> importance, std::span<float> x) {
  double loss = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    const Softplus term = softplus(double{x[k]});
    loss += double{importance[k]} * term.value;
    x[k] = static_cast<float>(double{importance[k]} * term.slope);
  }
  return loss;
}

double bpr_together(std::span<float> x) {
  if (x.size() == 1) {
    const Softplus term = softplus(double{x[0]});
    x[0] = static_cast<float>(term.slope);
    return term.value;
  }
  const double top = std::max(0.0, double{*std::max_element(x.begin(), x.end())});
  double sum = std::exp(-top);
  for (const float value : x) sum += std::exp(double{value} - top);
  for (float& value : x) value = static_cast<float>(std::exp(double{value} - top) / sum);
  return top + std::log(sum);
}

class Bpr final : public Loss {
 public:
  void rows(const LossInput& scores, const LossOutput& out) const override {
    const size_t each = scores.negatives_per_row;
    for (size_t r = 0; r < scores.rows(); ++r) {
      // Holds x_k first, then the slopes.
      const std::span<float> x = out.negative_slopes.subspan(r * each, each);
      for (size_t k = 0; k < each; ++k)
        x[k] = scores.negative_scores[r * each + k] - scores.positive_scores[r];
      const float weight = scores.row_weights.empty() ? 1.0F : scores.row_weights[r];
      out.losses[r] =
          double{weight} * (scores.importance.empty()
                                ? bpr_together(x)
                                : bpr_weighted(scores.importance.subspan(r * each, each), x));
      // The loss depends on differences, so the slopes of a row sum to zero.
      float positive = 0;
      for (float& slope : x) {
        slope *= weight * scores.share;
        positive -= slope;
      }
      out.positive_slopes[r] = positive;
    }
  }

  // log(1 + sum_j exp(s_j - s_p)) is a softmax with the positive in the denominator. With weights
  // it is sum_j a_j log(1 + exp(s_j - s_p)), a mean.
  void block(const LossBlock& block) const override {
    if (block.weights.empty()) {
      softmax_block(block, 1, true);
      return;
    }
    for_each_block_row(block, [&](BlockRow& row) {
      const SumAndSlope terms = softplus_row(-row.positive_score, row.weights, row.x, row.columns);
      row.factor = static_cast<float>(1 / row.total);
      row.positive_slope = static_cast<float>(-double{terms.slope} / row.total);
      return double{terms.sum} / row.total;
    });
  }
};

}  // namespace

std::unique_ptr<Loss> make_bpr() {
  return std::make_unique<Bpr>();
}

}  // namespace divns
