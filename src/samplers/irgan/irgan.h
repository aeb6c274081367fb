// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// IRGAN: a generator, a second matrix factorisation, draws the negative j from n candidates by
// p_j = softmax_j(g_u . h_j / tau). The recommender is the discriminator. It pays the reward
//   R = log(1 + exp(s(u, j) - s(u, i))),
// which is large for negatives that it ranks above the positive, and the generator follows the
// policy gradient of R minus its mean over the batch.
std::unique_ptr<Sampler> make_irgan();

// AdvIR: the same draw, and the vector of the negative is moved by epsilon in the direction in
// which the loss grows fastest: e_j + epsilon e_u / |e_u|. The displacement is held constant in the
// gradient.
std::unique_ptr<Sampler> make_advir();

}  // namespace divns
