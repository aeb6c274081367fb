// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "divns/sampler.h"

namespace divns {

// AdaSIR: every user has a pool of S items, renewed at the start of an epoch by importance
// resampling. C candidates j are drawn from a proposal distribution q and get the weights
//   w_j = softmax_j(s(u, j) - log q_j),
// and S draws with these weights, with replacement, form a new pool. From the second epoch on, each
// entry of the pool is drawn uniformly from the old and the new pool together; an item keeps the
// weight it was drawn with. The negatives of a row are K uniform draws from the pool of the user.
std::unique_ptr<Sampler> make_adasir();

// Weights of the K losses of a row, with x_k = s(u, negative k) - s(u, positive).
enum class Importance {
  kOff,      // no weights: log(1 + sum_k exp x_k)
  kUniform,  // exp x_k
  kCode,     // w_k exp x_k, as in the authors' code
  kDivide,   // exp x_k / w_k, which corrects for the draw
};

// Replaces the scores of the candidates by log w_j, given log q_j.
void sir_log_weights(std::span<double> scores, std::span<const double> log_proposal);

// Replaces x_k by the importance, which sums to 1, given log w_k. Not for kOff.
void importance_of(Importance kind, std::span<float> x, std::span<const float> log_weights);

// Weight of a positive's loss from its estimated rank r: H(r - 1) = sum_{j < r} 1/j, 1 for r <= 1.
double rank_weight(uint64_t rank);

}  // namespace divns
