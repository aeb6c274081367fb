// SPDX-License-Identifier: Apache-2.0
#include "samplers/shared/dpp_shared.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "divns/options.h"
#include "dpp/inclusion.h"
#include "samplers/shared/set_draws.h"

namespace divns {
namespace {

class DppShared final : public Sampler {
 public:
  void declare(Options& options) override {
    options
        .add("dpp_shared.size", size_,
             "number of items chosen per batch (M); at most the rank of the pool's vectors, which "
             "is the "
             "embedding dimension or less")
        .range(1, 4096)
        .tune_values({"16", "32", "64"});
    options.add("dpp_shared.pool", pool_.size, "number of uniform items to choose from")
        .range(1, 65536)
        .tune_values({"512", "2048"});
    options
        .add("dpp_shared.correction", correction_,
             "exponent of the weight 1 / chance of a chosen item: 0 for equal weights, 1 for an "
             "estimate over the pool")
        .range(0, 1);
  }

  void start(const SamplerContext& context) override {
    draws_.emplace(context, pool_, "dpp_shared");
    random_.emplace(context.seed, "dpp_shared.choice");
  }
  bool shares_negatives() const override { return true; }
  bool weights_negatives() const override { return correction_ > 0; }

  void propose(const Batch& batch, RowsToRead& rows) override {
    draws_->draw(batch, items_);
    rows.items = items_;
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    negatives.reset(0, 1, 1);
    rows_.pack(view.items, items_, {}, true);
    const DualSpectrum spectrum(rows_);
    const size_t k = std::min(static_cast<size_t>(size_), spectrum.rank());
    if (k == 0) fail("all items of a pool of dpp_shared have vectors of length 0.");
    Draws draws = random_->draws(batch.epoch, batch.first_place);
    chosen_.clear();
    ExactKdpp(rows_, spectrum, k, 0).draw(draws, chosen_);
    const std::vector<double> chances = kdpp_inclusion(rows_, spectrum, k);
    for (const uint32_t row : chosen_) {
      negatives.shared.items.push_back(items_[row]);
      if (correction_ == 0) continue;
      const double weight = -correction_ * std::log(chances[row]);
      negatives.shared.log_weights.push_back(static_cast<float>(std::min(weight, kLargestLog)));
    }
  }

 private:
  static constexpr double kLargestLog = 40;

  int size_ = 32;
  SetOptions pool_{.size = 2048};
  double correction_ = 1;
  std::optional<SetDraws> draws_;
  std::optional<Random> random_;
  std::vector<uint32_t> items_;  // the pool of the batch
  FeatureRows rows_;
  ScratchVector<uint32_t> chosen_;
};

}  // namespace

std::unique_ptr<Sampler> make_dpp_shared() {
  return std::make_unique<DppShared>();
}

}  // namespace divns
