// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace divns {

// Solves A x = b for a small symmetric positive definite A (n x n, rows of `step` floats, a
// multiple of kRowQuantum); x replaces b. Only the upper triangle is read, and everything is
// overwritten: by U with A = U^T U where j >= i, by nothing of use elsewhere. False if A is not
// positive definite, or too nearly so for float32; b is then unspecified.
//
// An element of U is one chain of fused multiply-adds, so the bits are the same on every machine
// that has them.
bool cholesky_solve(float* a, size_t n, size_t step, float* b);

namespace reference {
// The same in float64, a and b rounded at the end.
bool cholesky_solve(float* a, size_t n, size_t step, float* b);
}  // namespace reference
}  // namespace divns
