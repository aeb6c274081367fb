// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace divns {

// H(n) = sum_{j <= n} 1/j, 0 for n = 0. Exact for n < 64, else by the formula of Euler and
// Maclaurin, with an error below 1e-9.
inline double harmonic_number(uint64_t n) {
  if (n >= 64) {
    const auto x = static_cast<double>(n);
    return std::log(x) + 0.57721566490153286 + 1 / (2 * x) - 1 / (12 * x * x);
  }
  double sum = 0;
  for (uint64_t j = 1; j <= n; ++j) sum += 1.0 / static_cast<double>(j);
  return sum;
}

}  // namespace divns
