// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "divns/vectors.h"

namespace divns {

// |v_i - v_j|^2 of two rows of a table, in float64.
inline double squared_distance(const VectorTable& vectors, uint32_t i, uint32_t j) {
  double sum = 0;
  for (uint32_t c = 0; c < vectors.dim; ++c) {
    const double d =
        static_cast<double>(vectors.row(i)[c]) - static_cast<double>(vectors.row(j)[c]);
    sum += d * d;
  }
  return sum;
}

}  // namespace divns
