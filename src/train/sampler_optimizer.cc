// SPDX-License-Identifier: Apache-2.0
#include "train/sampler_optimizer.h"

#include "base/check.h"
#include "divns/tensors.h"
#include "kernels/adam.h"

namespace divns {

SamplerOptimizer::SamplerOptimizer(const OptimizerOptions& options,
                                   const std::vector<SamplerParameters>& parameters)
    : options_(options) {
  if (!has_moments()) return;
  for (const SamplerParameters& block : parameters)
    moments_.push_back(
        {std::vector<float>(block.values.size()), std::vector<float>(block.values.size())});
}

void SamplerOptimizer::step(const std::vector<SamplerParameters>& parameters) {
  DIVNS_ASSERT(!has_moments() || parameters.size() == moments_.size());
  const auto t = static_cast<double>(++steps_);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const SamplerParameters& block = parameters[i];
    const double rate = block.learning_rate > 0 ? block.learning_rate : options_.learning_rate;
    if (has_moments()) {
      adam_step(options_.adam.step(options_.adam.corrections(rate, t)), block.gradient.data(),
                block.values.data(), moments_[i].m.data(), moments_[i].v.data(),
                block.values.size());
      continue;
    }
    for (size_t k = 0; k < block.values.size(); ++k)
      block.values[k] -= static_cast<float>(rate) * block.gradient[k];
  }
}

void SamplerOptimizer::save(TensorWriter& out,
                            const std::vector<SamplerParameters>& parameters) const {
  out.add_copy("steps", std::span(&steps_, 1));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i].name;
    out.add(name + ".values", std::span<const float>(parameters[i].values));
    if (!has_moments()) continue;
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
    if (!has_moments()) continue;
    in.read(name + ".m", std::span(moments_[i].m));
    in.read(name + ".v", std::span(moments_[i].v));
  }
}

}  // namespace divns
