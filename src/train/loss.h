// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "samplers/sampler.h"

namespace divns {

struct LossOptions {
  double l2 = 1e-4;
  // Penalise the items that a negative is mixed from, each by itself, instead of the mixture.
  bool regularise_parts = false;
  // Whatever is scored as an item, mixtures included, is scaled to unit length first.
  bool unit_items = false;
};

// The loss of one row from x_k = s(u, negative k) - s(u, positive), and its derivatives by x_k:
//   together:  log(1 + sum_k exp x_k),              dx_k = exp x_k / (1 + sum_j exp x_j)
//   weighted:  sum_k importance_k log(1 + exp x_k), dx_k = importance_k / (1 + exp(-x_k))
// Finite for any x; `x` may be the same memory as `derivatives`.
double row_loss(NegativeLoss kind, std::span<const float> x, std::span<const float> importance,
                std::span<float> derivatives);

}  // namespace divns
