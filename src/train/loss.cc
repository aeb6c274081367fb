// SPDX-License-Identifier: Apache-2.0
#include "train/loss.h"

#include <algorithm>
#include <cmath>

namespace divns {
namespace {

// log(1 + exp x) and its derivative, from one exponential that cannot overflow.
struct Softplus {
  double value;
  double slope;
};

Softplus softplus(double x) {
  const double small = std::exp(-std::abs(x));
  return {std::max(x, 0.0) + std::log1p(small), (x >= 0 ? 1.0 : small) / (1 + small)};
}

}  // namespace

double row_loss(NegativeLoss kind, std::span<const float> x, std::span<const float> importance,
                std::span<float> derivatives) {
  double loss = 0;
  if (kind == NegativeLoss::kWeighted) {
    for (size_t k = 0; k < x.size(); ++k) {
      const Softplus term = softplus(double{x[k]});
      loss += double{importance[k]} * term.value;
      derivatives[k] = static_cast<float>(double{importance[k]} * term.slope);
    }
    return loss;
  }
  if (x.size() == 1) {
    const Softplus term = softplus(double{x[0]});
    derivatives[0] = static_cast<float>(term.slope);
    return term.value;
  }
  const double top = std::max(0.0, double{*std::max_element(x.begin(), x.end())});
  double sum = std::exp(-top);
  for (const float value : x) sum += std::exp(double{value} - top);
  for (size_t k = 0; k < x.size(); ++k)
    derivatives[k] = static_cast<float>(std::exp(double{x[k]} - top) / sum);
  return top + std::log(sum);
}

}  // namespace divns
