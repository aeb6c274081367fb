// SPDX-License-Identifier: Apache-2.0
#include "samplers/pns.h"

#include "base/options.h"
#include "samplers/direct.h"

namespace divns {
namespace {

class Pns final : public DirectSampler {
 public:
  Pns() : DirectSampler("pns", {.law = CandidateLaw::kPopularity}) {}

  void declare(Options& options) override {
    options.add_choice("pns.law", options_.law,
                       {{"popularity", CandidateLaw::kPopularity},
                        {"log_popularity", CandidateLaw::kLogPopularity}},
                       "chance of an item: training pairs ^ exponent, or log(1 + training pairs)");
    options
        .add("pns.exponent", options_.exponent,
             "of the training pairs, where the law is popularity")
        .range(0, 10)
        .tune_linear(0, 1);
    options.add("pns.reject_positives", options_.reject_positives,
                "never draw an item that the user has a training pair with");
  }
};

}  // namespace

std::unique_ptr<Sampler> make_pns() {
  return std::make_unique<Pns>();
}

}  // namespace divns
