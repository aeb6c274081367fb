// SPDX-License-Identifier: Apache-2.0
#include "samplers/shared/hard_shared.h"

#include "base/check.h"
#include "divns/options.h"
#include "samplers/shared/set_draws.h"

namespace divns {
namespace {

class HardShared final : public SetSampler {
 public:
  HardShared() : SetSampler("hard_shared") {}

  void declare(Options& options) override {
    SetSampler::declare(options);
    options
        .add("hard_shared.hardest", hardest_,
             "number of items of the set that enter the loss of a row: those with the highest "
             "scores (T)")
        .range(1, 65536)
        .tune_values({"16", "64", "256"});
  }

  void start(const SamplerContext& context) override {
    if (hardest_ > options_.size)
      fail("hard_shared.hardest is {}, more than the {} items of hard_shared.size; choose fewer.",
           hardest_, options_.size);
    SetSampler::start(context);
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    SetSampler::choose(batch, view, negatives);
    negatives.shared.hardest = static_cast<size_t>(hardest_);
  }

 private:
  int hardest_ = 64;
};

}  // namespace

std::unique_ptr<Sampler> make_hard_shared() {
  return std::make_unique<HardShared>();
}

}  // namespace divns
