// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "divns/parallel.h"
#include "divns/table.h"
#include "divns/vectors.h"
#include "kernels/vectors.h"

namespace divns {

// Writes x / |x| to `unit`, or zeros if x is zero, and returns 1 / |x|, or 0. `n` is the stride of
// a padded row, and `unit` may be x itself.
inline float unit_row(const float* x, float* unit, size_t n) {
  const float norm = std::sqrt(dot(x, x, n));
  const float inverse = norm > 0 ? 1 / norm : 0;
  for (size_t k = 0; k < n; ++k) unit[k] = x[k] * inverse;
  return inverse;
}

// All rows of a table, whose rows need not be padded.
inline void unit_rows(const VectorTable& from, const Executor& executor, Table& to) {
  if (to.rows() != from.rows || to.dim() != from.dim) to = Table(from.rows, from.dim);
  executor.for_chunks(from.rows, 512, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      std::copy_n(from.row(static_cast<uint32_t>(i)), from.dim, to.row(i));
      unit_row(to.row(i), to.row(i), to.stride());
    }
  });
}

}  // namespace divns
