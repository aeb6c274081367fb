// SPDX-License-Identifier: Apache-2.0
// Adam on rows of parameters. `n` is a multiple of kRowQuantum.
#pragma once

#include <cstddef>
#include <span>

namespace divns {

// Coefficients of step t:
//   m <- beta1 m + rest1 g,   v <- beta2 v + rest2 g^2,
//   p <- p - rate m / (sqrt(v) root + epsilon)
// with rest = 1 - beta, rate = learning_rate / (1 - beta1^t) and root = 1 / sqrt(1 - beta2^t). rest
// is rounded from 1 - beta in float64, because 1 - float(0.999) has a relative error of 1e-5.
struct AdamStep {
  float beta1 = 0;
  float beta2 = 0;
  float rest1 = 0;
  float rest2 = 0;
  float rate = 0;
  float root = 0;
  float epsilon = 0;
};

// `n` may be any number; the other functions are for padded rows, as all of kernels/vectors.h.
void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n);

// Several steps with zero gradient at once:
//   p <- p - m sum_q weights[q] / (sqrt(v) roots[q] + epsilon),   m <- m_decay m,   v <- v_decay v.
struct AdamCatchUp {
  std::span<const float> weights;
  std::span<const float> roots;
  float m_decay = 1;
  float v_decay = 1;
  float epsilon = 0;
};

void adam_catch_up(const AdamCatchUp& steps, float* parameter, float* m, float* v, size_t n);

// A step followed by a catch-up, in one pass over the row, with the same bits as two passes.
void adam_step_then_catch_up(const AdamStep& step, const AdamCatchUp& steps, const float* gradient,
                             float* parameter, float* m, float* v, size_t n);

namespace reference {
void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n);
void adam_catch_up(const AdamCatchUp& steps, float* parameter, float* m, float* v, size_t n);
}  // namespace reference
}  // namespace divns
