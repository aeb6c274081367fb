// SPDX-License-Identifier: Apache-2.0
// Exponentials, softplus and positive parts of a row of scores, for losses over many negatives. An
// entry of -infinity does not count: it becomes 0. At most eight lanes, so AVX2 and AVX-512 give
// the same bits. Relative errors are below 1e-6.
#pragma once

#include <cstddef>

namespace divns {

// The largest of n values, -infinity for none.
float largest_of_row(const float* x, size_t n);

// x_j <- exp(scale (x_j - top) + log_weight_j); returns their sum. Without log weights (null) they
// are 0. `top` is finite.
float exponentials(float scale, float top, const float* log_weights, float* x, size_t n);

// sum_j weight_j f(x_j + shift), and the same with f' instead of f; weights are 1 if null.
struct SumAndSlope {
  float sum = 0;
  float slope = 0;
};
// x_j <- weight_j f'(x_j + shift) for f = log(1 + exp x).
SumAndSlope softplus_row(float shift, const float* weights, float* x, size_t n);
// The same for f = max(0, x).
SumAndSlope positive_part_row(float shift, const float* weights, float* x, size_t n);

// x_j <- factor x_j
void scale_row(float factor, float* x, size_t n);

namespace reference {
float exponentials(float scale, float top, const float* log_weights, float* x, size_t n);
SumAndSlope softplus_row(float shift, const float* weights, float* x, size_t n);
SumAndSlope positive_part_row(float shift, const float* weights, float* x, size_t n);
}  // namespace reference

}  // namespace divns
