// SPDX-License-Identifier: Apache-2.0
#include "losses/directau.h"

#include "base/check.h"
#include "divns/options.h"
#include "losses/loss_row.h"

namespace divns {
namespace {

class DirectAu final : public Loss {
 public:
  void declare(Options& options) override {
    options
        .add("directau.gamma", gamma_,
             "weight of the uniformity of users and positives relative to their alignment")
        .above(0)
        .tune_log(0.2, 10);
  }

  void start(const LossContext& context) override {
    if (!context.cosine)
      fail(
          "loss = directau is defined on vectors of unit length. Set similarity = cosine, or "
          "choose another loss.");
  }

  bool needs_negatives() const override { return false; }
  double uniformity_weight() const override { return gamma_; }

  // |u - p|^2 of each row. There are no negatives.
  void rows(const LossInput& in, const LossOutput& out) const override {
    for_each_row(in, out, [](LossRow& row) {
      row.positive_slope = -2;
      return 2 - 2 * double{row.positive_score};
    });
  }

 private:
  double gamma_ = 1;
};

}  // namespace

std::unique_ptr<Loss> make_directau() {
  return std::make_unique<DirectAu>();
}

}  // namespace divns
