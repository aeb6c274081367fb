// SPDX-License-Identifier: Apache-2.0
// Element-wise functions over padded rows: every length `n` is a multiple of kRowQuantum. Errors
// are below 3e-7 (5e-6 for normal deviates); at most eight lanes, so AVX2 and AVX-512 give the same
// bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// x <- tanh(x + bias)
void tanh_biased(const float* bias, float* x, size_t n);
// gradient <- gradient (1 - y^2), for y = tanh(x)
void tanh_backward(const float* y, float* gradient, size_t n);

// gate = sigmoid(a + b), gated = gate * x
void apply_gate(const float* a, const float* b, const float* x, float* gate, float* gated,
                size_t n);
// sum_k user_k x_k (kept - sigmoid(a_k + b_k)): the score of the part of x that the gate leaves.
float gated_score(const float* user, const float* x, const float* a, const float* b, float kept,
                  size_t n);
// Backward pass of gated = gate * x with gate = sigmoid(z): dz = gradient * x * gate * (1 - gate).
void gate_backward(const float* gradient, const float* x, const float* gate, float* dz, size_t n);

// x_j <- exp(scale x_j - shift) for j < count; returns the sum. Any count.
float exp_and_sum(float scale, float shift, float* x, size_t count);

// Standard normal deviates from random words, by Box and Muller on each block of 16: words 0 to 7
// give the radii, words 8 to 15 the angles. `n` is a multiple of 16.
inline constexpr size_t kNormalBlock = 16;
void normals_from_words(const uint32_t* words, float* out, size_t n);

namespace reference {
void tanh_biased(const float* bias, float* x, size_t n);
void tanh_backward(const float* y, float* gradient, size_t n);
void apply_gate(const float* a, const float* b, const float* x, float* gate, float* gated,
                size_t n);
float gated_score(const float* user, const float* x, const float* a, const float* b, float kept,
                  size_t n);
void gate_backward(const float* gradient, const float* x, const float* gate, float* dz, size_t n);
float exp_and_sum(float scale, float shift, float* x, size_t count);
void normals_from_words(const uint32_t* words, float* out, size_t n);
}  // namespace reference
}  // namespace divns
