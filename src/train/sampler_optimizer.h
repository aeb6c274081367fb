// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "samplers/sampler.h"
#include "train/adam_clock.h"

namespace divns {

// Adam on the parameters that a sampler has of its own.
class SamplerOptimizer {
 public:
  SamplerOptimizer(const AdamOptions& options, std::vector<SamplerParameters> parameters);

  void step(const std::vector<SamplerParameters>& parameters);

  // Values and moments; `parameters` is where the values live.
  void save(TensorWriter& out, const std::vector<SamplerParameters>& parameters) const;
  void load(const TensorReader& in, const std::vector<SamplerParameters>& parameters);

 private:
  struct Moments {
    std::vector<float> m;
    std::vector<float> v;
  };
  AdamOptions options_;
  uint64_t steps_ = 0;
  std::vector<Moments> moments_;
};

}  // namespace divns
