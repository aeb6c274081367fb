// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace divns {

// log(1 + exp x) and its derivative, from one exponential that cannot overflow.
struct Softplus {
  double value;
  double slope;
};

inline Softplus softplus(double x) {
  const double small = std::exp(-std::abs(x));
  return {std::max(x, 0.0) + std::log1p(small), (x >= 0 ? 1.0 : small) / (1 + small)};
}

}  // namespace divns
