// SPDX-License-Identifier: Apache-2.0
#include "train/sampler_optimizer.h"

#include <cmath>

#include "base/check.h"
#include "base/table.h"
#include "io/safetensors.h"
#include "kernels/adam.h"

namespace divns {

SamplerOptimizer::SamplerOptimizer(const AdamOptions& options,
                                   std::vector<SamplerParameters> parameters)
    : options_(options) {
  for (const SamplerParameters& block : parameters)
    moments_.push_back(
        {std::vector<float>(block.values.size()), std::vector<float>(block.values.size())});
}

void SamplerOptimizer::step(const std::vector<SamplerParameters>& parameters) {
  DIVNS_ASSERT(parameters.size() == moments_.size());
  const auto t = static_cast<double>(++steps_);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const SamplerParameters& block = parameters[i];
    const double rate = block.learning_rate > 0 ? block.learning_rate : options_.learning_rate;
    const AdamStep step = options_.step(rate / (1 - std::pow(options_.beta1, t)),
                                        1 / std::sqrt(1 - std::pow(options_.beta2, t)));
    // The kernel takes whole vectors; what is left over goes through its plain twin.
    const size_t whole = block.values.size() / kRowQuantum * kRowQuantum;
    float* m = moments_[i].m.data();
    float* v = moments_[i].v.data();
    adam_step(step, block.gradient.data(), block.values.data(), m, v, whole);
    reference::adam_step(step, block.gradient.data() + whole, block.values.data() + whole,
                         m + whole, v + whole, block.values.size() - whole);
  }
}

void SamplerOptimizer::save(TensorWriter& out,
                            const std::vector<SamplerParameters>& parameters) const {
  out.add_copy("steps", std::span(&steps_, 1));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i].name;
    out.add(name + ".values", std::span<const float>(parameters[i].values));
    out.add(name + ".m", moments_[i].m);
    out.add(name + ".v", moments_[i].v);
  }
}

void SamplerOptimizer::load(const TensorReader& in,
                            const std::vector<SamplerParameters>& parameters) {
  in.read("steps", std::span(&steps_, 1));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i].name;
    in.read(name + ".values", parameters[i].values);
    in.read(name + ".m", std::span(moments_[i].m));
    in.read(name + ".v", std::span(moments_[i].v));
  }
}

}  // namespace divns
