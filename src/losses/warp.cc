// SPDX-License-Identifier: Apache-2.0
#include "losses/warp.h"

#include <algorithm>

#include "base/check.h"
#include "divns/options.h"
#include "losses/loss_row.h"
#include "numerics/harmonic.h"

namespace divns {
namespace {

class Warp final : public Loss {
 public:
  void declare(Options& options) override {
    options
        .add("warp.margin", margin_,
             "difference between the scores of the positive and a negative above which the "
             "negative is no violation")
        .above(0)
        .tune_log(0.1, 10);
  }

  void start(const LossContext& context) override {
    if (context.weighted_negatives)
      fail(
          "loss = warp estimates ranks by counting draws, which is not defined for weighted "
          "negatives. Turn the sampler's weights off (adasir.importance = off, dns_mn.use_all_m = "
          "false, in_batch.correction = 0), or choose another loss.");
    train_ = context.train;
  }

  void rows(const LossInput& in, const LossOutput& out) const override {
    for_each_row(in, out, [&](LossRow& row) {
      std::fill(row.negative_slopes.begin(), row.negative_slopes.end(), 0.0F);
      const double allowed = double{row.positive_score} - margin_;
      const auto violation = std::find_if(row.negative_scores.begin(), row.negative_scores.end(),
                                          [&](float score) { return double{score} > allowed; });
      if (violation == row.negative_scores.end()) return 0.0;
      const auto place = static_cast<size_t>(violation - row.negative_scores.begin());
      const double weight = rank_weight_of(in.users[row.number], place + 1);
      row.negative_slopes[place] = static_cast<float>(weight);
      row.positive_slope = static_cast<float>(-weight);
      return weight * (double{*violation} - allowed);
    });
  }

 private:
  double rank_weight_of(uint32_t user, size_t draws) const {
    const size_t missing = train_.item_count - train_.row(user).size();
    return harmonic_number(std::max<size_t>(1, missing / draws));
  }

  Interactions train_;
  double margin_ = 1;
};

}  // namespace

std::unique_ptr<Loss> make_warp() {
  return std::make_unique<Warp>();
}

}  // namespace divns
