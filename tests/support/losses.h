// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "divns/registry.h"

namespace divns::testing {

// The default loss with its default options.
inline const Loss& default_loss() {
  static const std::unique_ptr<Loss> loss = find_loss("bpr").make();
  return *loss;
}

// BPR of one row from x_k = s(u, negative k) - s(u, positive), and its derivatives by x_k.
inline double bpr_row(std::span<const float> x, std::span<const float> importance,
                      std::span<float> slopes) {
  const std::vector<float> scores(x.begin(), x.end());
  const float positive = 0;
  double loss = 0;
  float positive_slope = 0;
  default_loss().rows({.negatives_per_row = x.size(),
                       .positive_scores = {&positive, 1},
                       .negative_scores = scores,
                       .importance = importance},
                      {{&loss, 1}, {&positive_slope, 1}, slopes});
  return loss;
}

}  // namespace divns::testing
