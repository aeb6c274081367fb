// SPDX-License-Identifier: Apache-2.0
#include "losses/ccl.h"

#include "base/check.h"
#include "divns/options.h"
#include "losses/block.h"
#include "losses/loss_row.h"

namespace divns {
namespace {

class Ccl final : public Loss {
 public:
  void declare(Options& options) override {
    options.add("ccl.margin", margin_, "cosine up to which a negative costs nothing")
        .range(-1, 1)
        .tune_linear(0, 0.95);
    options.add("ccl.weight", weight_, "weight of the mean over the negatives")
        .above(0)
        .tune_log(1, 300);
  }

  void start(const LossContext& context) override {
    if (!context.cosine)
      fail(
          "loss = ccl is defined on cosines: with inner products it has no minimum. Set "
          "similarity = cosine, or choose another loss.");
  }

  void rows(const LossInput& in, const LossOutput& out) const override {
    for_each_row(in, out, [&](LossRow& row) {
      row.positive_slope = -1;
      double loss = 1 - double{row.positive_score};
      for (size_t k = 0; k < row.negative_scores.size(); ++k) {
        const double excess = double{row.negative_scores[k]} - margin_;
        const double weight = excess > 0 ? weight_ * row.mean_weight(k) : 0;
        loss += weight * excess;
        row.negative_slopes[k] = static_cast<float>(weight);
      }
      return loss;
    });
  }

  void block(const LossBlock& block) const override {
    for_each_block_row(block, [&](BlockRow& row) {
      const SumAndSlope terms =
          positive_part_row(static_cast<float>(-margin_), row.weights, row.x, row.columns);
      const double factor = weight_ / row.total;
      row.factor = static_cast<float>(factor);
      row.positive_slope = -1;
      return 1 - double{row.positive_score} + factor * double{terms.sum};
    });
  }

 private:
  double margin_ = 0.8;
  double weight_ = 10;
};

}  // namespace

std::unique_ptr<Loss> make_ccl() {
  return std::make_unique<Ccl>();
}

}  // namespace divns
