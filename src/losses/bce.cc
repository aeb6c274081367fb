// SPDX-License-Identifier: Apache-2.0
#include "losses/bce.h"

#include "divns/options.h"
#include "losses/block.h"
#include "losses/loss_row.h"
#include "losses/softplus.h"

namespace divns {
namespace {

class Bce final : public Loss {
 public:
  void declare(Options& options) override {
    options.add("bce.negative_weight", negative_weight_, "weight of the mean over the negatives")
        .above(0)
        .tune_log(0.1, 10);
  }

  void rows(const LossInput& in, const LossOutput& out) const override {
    for_each_row(in, out, [&](LossRow& row) {
      const Softplus positive = softplus(-double{row.positive_score});
      row.positive_slope = static_cast<float>(-positive.slope);
      double loss = positive.value;
      for (size_t k = 0; k < row.negative_scores.size(); ++k) {
        const Softplus negative = softplus(double{row.negative_scores[k]});
        const double weight = negative_weight_ * row.mean_weight(k);
        loss += weight * negative.value;
        row.negative_slopes[k] = static_cast<float>(weight * negative.slope);
      }
      return loss;
    });
  }

  void block(const LossBlock& block) const override {
    for_each_block_row(block, [&](BlockRow& row) {
      const Softplus positive = softplus(-double{row.positive_score});
      const SumAndSlope terms = softplus_row(0, row.weights, row.x, row.columns);
      const double factor = negative_weight_ / row.total;
      row.factor = static_cast<float>(factor);
      row.positive_slope = static_cast<float>(-positive.slope);
      return positive.value + factor * double{terms.sum};
    });
  }

 private:
  double negative_weight_ = 1;
};

}  // namespace

std::unique_ptr<Loss> make_bce() {
  return std::make_unique<Bce>();
}

}  // namespace divns
