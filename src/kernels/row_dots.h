// SPDX-License-Identifier: Apache-2.0
// Inner products of many rows with one vector. Every pointer is aligned to a cache line and every
// row is padded with zeros to `stride`, a multiple of kRowPadding, so there are no tails. A row's
// result does not depend on its position or on other rows: equal rows give equal bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// In elements, for float and for double rows.
inline constexpr size_t kRowPadding = 16;

constexpr size_t padded_width(size_t columns) {
  return (columns + kRowPadding - 1) / kRowPadding * kRowPadding;
}

// out[i] = rows[i] . x
void row_dots(const float* rows, size_t stride, size_t n, const float* x, float* out);
void row_dots(const float* rows, size_t stride, size_t n, const double* x, double* out);
void row_dots(const double* rows, size_t stride, size_t n, const double* x, double* out);

// out[i] = rows[index[i]] . x
void gathered_row_dots(const float* rows, size_t stride, const uint32_t* index, size_t n,
                       const float* x, float* out);

// out[i] = rows[i] . rows[i], in float64
void row_squares(const float* rows, size_t stride, size_t n, double* out);

// rows[i] <- scale[i] rows[i]
void scale_rows(float* rows, size_t stride, size_t n, const float* scale);

namespace reference {
template <class Row, class X>
void row_dots(const Row* rows, size_t stride, size_t n, const X* x, X* out) {
  for (size_t i = 0; i < n; ++i) {
    X sum = 0;
    for (size_t c = 0; c < stride; ++c) sum += static_cast<X>(rows[i * stride + c]) * x[c];
    out[i] = sum;
  }
}
}  // namespace reference

}  // namespace divns
