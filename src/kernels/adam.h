// SPDX-License-Identifier: Apache-2.0
// Adam on rows of parameters. `n` is a multiple of kRowQuantum.
#pragma once

#include <cstddef>
#include <span>

namespace divns {

// The numbers of one step t:
//   m <- beta1 m + rest1 g,   v <- beta2 v + rest2 g^2,
//   p <- p - rate m / (sqrt(v) root + epsilon)
// with rest = 1 - beta, rate = learning_rate / (1 - beta1^t) and root = 1 / sqrt(1 - beta2^t). The
// rests are rounded from 1 - beta itself: 1 - float(0.999) is off by a hundred-thousandth.
struct AdamStep {
  float beta1 = 0;
  float beta2 = 0;
  float rest1 = 0;
  float rest2 = 0;
  float rate = 0;
  float root = 0;
  float epsilon = 0;
};

void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n);

// Steps with zero gradient, several at once:
//   p <- p - m sum_q weights[q] / (sqrt(v) roots[q] + epsilon),   m <- m_decay m,   v <- v_decay v.
struct AdamCatchUp {
  std::span<const float> weights;
  std::span<const float> roots;
  float m_decay = 1;
  float v_decay = 1;
  float epsilon = 0;
};

void adam_catch_up(const AdamCatchUp& steps, float* parameter, float* m, float* v, size_t n);

// One after the other, with the same bits, in one pass over the row.
void adam_step_then_catch_up(const AdamStep& step, const AdamCatchUp& steps, const float* gradient,
                             float* parameter, float* m, float* v, size_t n);

namespace reference {
void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n);
void adam_catch_up(const AdamCatchUp& steps, float* parameter, float* m, float* v, size_t n);
}  // namespace reference
}  // namespace divns
