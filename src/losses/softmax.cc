// SPDX-License-Identifier: Apache-2.0
#include "losses/softmax.h"

#include "base/check.h"
#include "divns/options.h"
#include "losses/block.h"
#include "losses/log_sum_exp.h"
#include "losses/temperature.h"

namespace divns {
namespace {

class Softmax final : public Loss {
 public:
  void declare(Options& options) override {
    temperature_.declare(options, "softmax");
    options.add("softmax.positive_in_denominator", positive_in_denominator_,
                "include the positive in the sum over the negatives (InfoNCE)");
  }

  void start(const LossContext& context) override {
    if (context.negatives == 1 && !context.shared_negatives && !positive_in_denominator_ &&
        !context.cosine)
      fail(
          "loss = softmax with one negative per pair is linear in the scores and has no minimum. "
          "Set negatives to at least 2, or set softmax.positive_in_denominator = true or "
          "similarity = cosine.");
    temperature_.start(context.train.item_count);
  }

  void rows(const LossInput& in, const LossOutput& out) const override {
    const double temperature = temperature_.value();
    for_each_row(in, out, [&](LossRow& row) {
      const LogSum sum = log_sum_exp(row, temperature, positive_in_denominator_);
      const auto scale = static_cast<float>(1 / temperature);
      for (float& slope : row.negative_slopes) slope *= scale;
      row.positive_slope = scale * static_cast<float>(sum.positive_share - 1);
      return sum.value - double{row.positive_score} / temperature;
    });
  }

  void block(const LossBlock& block) const override {
    softmax_block(block, 1 / temperature_.value(), positive_in_denominator_);
  }

 private:
  Temperature temperature_;
  bool positive_in_denominator_ = false;
};

}  // namespace

std::unique_ptr<Loss> make_softmax() {
  return std::make_unique<Softmax>();
}

}  // namespace divns
