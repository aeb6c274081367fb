// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace divns {

// Solves A x = b in place (x replaces b) for a symmetric positive definite A, n x n, of which only
// the lower triangle is read. False if A is not positive definite; b is then unspecified.
bool solve_positive_definite(std::span<const double> a, std::span<double> b);

}  // namespace divns
