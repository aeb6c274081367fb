// SPDX-License-Identifier: Apache-2.0
// The variance-exploding diffusion of SCONE: a vector x becomes x + sigma(t) z. A score network
// reverses it.
#pragma once

#include <cmath>
#include <vector>

namespace divns {

struct VeSde {
  double sigma_min = 0.01;
  double sigma_max = 50;
  int steps = 100;  // N, over [0, 1]

  static constexpr double kEarliest = 1e-5;  // end of the reverse diffusion

  // sigma(t) = sigma_min (sigma_max / sigma_min)^t
  double sigma(double t) const { return sigma_min * std::pow(sigma_max / sigma_min, t); }
  // g(t) = sigma(t) sqrt(2 ln(sigma_max / sigma_min))
  double diffusion(double t) const {
    return sigma(t) * std::sqrt(2 * std::log(sigma_max / sigma_min));
  }
};

// One reverse Euler-Maruyama step: mean = x + drift * score(x, sigma), x' = mean + noise * z.
struct ReverseStep {
  double time = 0;
  double sigma = 0;
  double drift = 0;  // g^2 / N
  double noise = 0;  // g / sqrt(N)
};

// floor(N * ratio) steps at equal distances from t = ratio to kEarliest.
inline std::vector<ReverseStep> reverse_steps(const VeSde& sde, double ratio) {
  const auto count = static_cast<size_t>(sde.steps * ratio + 1e-9);
  std::vector<ReverseStep> steps(count);
  for (size_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    const double t = ratio + share * (VeSde::kEarliest - ratio);
    const double g = sde.diffusion(t);
    steps[i] = {t, sde.sigma(t), g * g / sde.steps, g / std::sqrt(static_cast<double>(sde.steps))};
  }
  return steps;
}

}  // namespace divns
