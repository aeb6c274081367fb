// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace divns {

// Solves A x = b for a small symmetric positive definite A (n x n, rows of `step` floats, a
// multiple of kRowQuantum); x replaces b. Only the upper triangle of A is read. A is overwritten: U
// with A = U^T U for j >= i, unspecified elsewhere. Returns false if A is not positive definite to
// float32 precision; b is then unspecified.
//
// Each element of U is one chain of fused multiply-adds, so the bits are the same on every machine
// with FMA.
bool cholesky_solve(float* a, size_t n, size_t step, float* b);

namespace reference {
// The same in float64; a and b are rounded at the end.
bool cholesky_solve(float* a, size_t n, size_t step, float* b);
}  // namespace reference
}  // namespace divns
