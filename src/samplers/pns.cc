// SPDX-License-Identifier: Apache-2.0
#include "samplers/pns.h"

#include "divns/options.h"
#include "samplers/direct.h"

namespace divns {
namespace {

class Pns final : public DirectSampler {
 public:
  Pns() : DirectSampler("pns", {.law = CandidateLaw::kPopularity}) {}

  void declare(Options& options) override {
    options.add_choice(
        "pns.law", options_.law,
        {{"popularity", CandidateLaw::kPopularity},
         {"log_popularity", CandidateLaw::kLogPopularity}},
        "distribution of items: popularity (count^exponent) or log_popularity (log(1 + "
        "count)), where count is the number of training pairs of an item");
    options
        .add("pns.exponent", options_.exponent,
             "exponent of an item's training count when law = popularity")
        .range(0, 10)
        .tune_linear(0, 1);
    options.add("pns.reject_positives", options_.reject_positives,
                "reject items that the user has a training pair with");
  }
};

}  // namespace

std::unique_ptr<Sampler> make_pns() {
  return std::make_unique<Pns>();
}

}  // namespace divns
