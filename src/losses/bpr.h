// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/loss.h"

namespace divns {

// BPR with K negatives, with x_k = s(u, negative k) - s(u, positive):
//   log(1 + sum_k exp x_k),              d/dx_k = exp x_k / (1 + sum_j exp x_j);
// with importance weights w_k from the sampler, which are held constant:
//   sum_k w_k log(1 + exp x_k),          d/dx_k = w_k / (1 + exp(-x_k)).
// Both are the loss of Rendle et al. for K = 1 and w = 1. Finite for any finite scores.
std::unique_ptr<Loss> make_bpr();

}  // namespace divns
