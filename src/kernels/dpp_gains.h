// SPDX-License-Identifier: Apache-2.0
// The d x d work of the k-DPP engine. Rows and vectors are padded and aligned as in row_dots.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// y <- y - sum_s coefficient_s w_s for `count` rows w_s.
void subtract_combination(double* y, size_t width, const double* w, size_t count,
                          const double* coefficient);

// residual[i] <- max(residual[i] - value[i]^2, 0) if residual[i] > 0; others stay unchanged.
void subtract_squares(double* residual, const double* value, size_t n);

// M <- M - sum_s w_s w_s^T for `count` rows w_s; M is symmetric, stored in full, `width` values per
// row.
void subtract_outer_products(double* m, size_t width, const double* w, size_t count);

// The weights with which quadratic_forms reads a symmetric M: b^T M b = sum over blocks J of 16
// columns of sum_{c >= start of J} b_c folded[c][J] . b[J], so only half of M is multiplied.
void fold_symmetric(const double* m, size_t width, float* folded);

// out[i] = b^T M b for b = rows[index[i]], `folded` as made by fold_symmetric. Float32: the error
// is of the order 2^-24 |b|^2 |M|.
void quadratic_forms(const float* rows, size_t width, const uint32_t* index, size_t n,
                     const float* folded, float* out);

// residual[i] -= (rows[index[i]] . w)^2; returns the largest new residual, -infinity if n is 0.
float subtract_squared_dots(const float* rows, size_t width, const uint32_t* index, size_t n,
                            const float* w, float* residual);

// Writes the positions of the values above the threshold to `out`, ascending, and returns their
// number. `out` must have room for n + 16 entries.
size_t select_above(const float* values, size_t n, float threshold, uint32_t* out);

// Brings residuals up to date. For each i, with b = rows[index[i]],
//   residual[i] -= (b . w_s)^2  for s = version[i], version[i] + 1, ... < count
// where w_s is row s of `history`; stops as soon as residual[i] <= enough. Sets version[i] to the
// number of w_s that have been applied. Four w_s are applied at a time, so `history` must end with
// three additional rows of zeros.
void catch_up(const float* rows, size_t width, const uint32_t* index, size_t n,
              const float* history, uint32_t count, float enough, uint32_t* version,
              float* residual);

namespace reference {
void subtract_outer_products(double* m, size_t width, const double* w, size_t count);
double quadratic_form(const float* b, const double* m, size_t width);
}  // namespace reference

}  // namespace divns
