// SPDX-License-Identifier: Apache-2.0
#include "losses/hinge.h"

#include "divns/options.h"
#include "losses/block.h"
#include "losses/loss_row.h"

namespace divns {
namespace {

class Hinge final : public Loss {
 public:
  void declare(Options& options) override {
    options
        .add("hinge.margin", margin_,
             "difference between the scores of the positive and a negative above which the "
             "negative costs nothing")
        .above(0)
        .tune_log(0.1, 10);
  }

  void rows(const LossInput& in, const LossOutput& out) const override {
    for_each_row(in, out, [&](LossRow& row) {
      double loss = 0;
      double slopes = 0;
      for (size_t k = 0; k < row.negative_scores.size(); ++k) {
        const double gap = margin_ - double{row.positive_score} + double{row.negative_scores[k]};
        const double weight = gap > 0 ? row.mean_weight(k) : 0;
        loss += weight * gap;
        slopes += weight;
        row.negative_slopes[k] = static_cast<float>(weight);
      }
      row.positive_slope = static_cast<float>(-slopes);
      return loss;
    });
  }

  void block(const LossBlock& block) const override {
    for_each_block_row(block, [&](BlockRow& row) {
      const auto shift = static_cast<float>(margin_ - double{row.positive_score});
      const SumAndSlope terms = positive_part_row(shift, row.weights, row.x, row.columns);
      row.factor = static_cast<float>(1 / row.total);
      row.positive_slope = static_cast<float>(-double{terms.slope} / row.total);
      return double{terms.sum} / row.total;
    });
  }

 private:
  double margin_ = 1;
};

}  // namespace

std::unique_ptr<Loss> make_hinge() {
  return std::make_unique<Hinge>();
}

}  // namespace divns
