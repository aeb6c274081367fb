// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/sampler.h"
#include "train/optimizer.h"

namespace divns {

// Trains the parameters that a sampler owns, with the optimizer of the run. Each of them has a
// gradient in every step, so adam and lazy_adam do the same here.
class SamplerOptimizer {
 public:
  SamplerOptimizer(const OptimizerOptions& options,
                   const std::vector<SamplerParameters>& parameters);

  void step(const std::vector<SamplerParameters>& parameters);

  // Values and moments; `parameters` is where the values are stored.
  void save(TensorWriter& out, const std::vector<SamplerParameters>& parameters) const;
  void load(const TensorReader& in, const std::vector<SamplerParameters>& parameters);

 private:
  struct Moments {
    std::vector<float> m;
    std::vector<float> v;
  };
  bool has_moments() const { return options_.kind != OptimizerKind::kSgd; }

  OptimizerOptions options_;
  uint64_t steps_ = 0;
  std::vector<Moments> moments_;  // one entry per block of parameters; none for SGD
};

}  // namespace divns
