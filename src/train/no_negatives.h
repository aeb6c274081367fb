// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/sampler.h"

namespace divns {

// In the place of a sampler where the loss needs no negatives.
class NoNegatives final : public Sampler {
 public:
  void start(const SamplerContext& /*context*/) override {}
  bool shares_negatives() const override { return true; }
  void propose(const Batch& /*batch*/, RowsToRead& /*rows*/) override {}
  void choose(const Batch& /*batch*/, const EmbeddingView& /*view*/,
              Negatives& negatives) override {
    negatives.reset(0, 1, 1);
  }
};

}  // namespace divns
