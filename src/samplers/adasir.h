// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "samplers/sampler.h"

namespace divns {

// AdaSIR: every user has a pool of S items, renewed at the start of an epoch by sampling importance
// resampling. C candidates j come from a proposal q; they get the weights
//   w_j = softmax_j(s(u, j) - log q_j),
// and S draws with these weights, with replacement, make a new pool. From the second epoch on each
// place of the pool is a uniform pick from the old and the new one together, items keeping the
// weights they were drawn with. The negatives of a row are K uniform picks from the user's pool.
std::unique_ptr<Sampler> make_adasir();

// How the K losses of a row are weighed, with x_k = s(u, negative k) - s(u, positive).
enum class Importance {
  kOff,      // they are not: log(1 + sum_k exp x_k)
  kUniform,  // exp x_k
  kCode,     // w_k exp x_k, as the authors' code has it
  kDivide,   // exp x_k / w_k, which corrects for the draw
};

// log w_j of the candidates from their scores and log q_j; in place of the scores.
void sir_log_weights(std::span<double> scores, std::span<const double> log_proposal);

// Importance, summing to 1, from x_k and log w_k; in place of x_k. Not for kOff.
void importance_of(Importance kind, std::span<float> x, std::span<const float> log_weights);

// Weight of a positive's loss from its estimated rank r: H(r - 1) = sum_{j < r} 1/j, 1 for r <= 1.
double rank_weight(uint64_t rank);

}  // namespace divns
