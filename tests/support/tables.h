// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/aligned.h"
#include "divns/random.h"
#include "divns/table.h"

namespace divns::testing {

// Values in [-1, 1), the padding left zero.
inline Table random_table(uint32_t rows, uint32_t dim, uint64_t seed) {
  Table table(rows, dim);
  const Random random(seed, "table");
  for (uint32_t i = 0; i < rows; ++i) {
    Draws draws = random.draws(i);
    for (uint32_t k = 0; k < dim; ++k) table.row(i)[k] = 2 * draws.uniform_float() - 1;
  }
  return table;
}

// Normal deviates, the columns beyond `columns` left zero.
template <class T>
AlignedVector<T> normals(size_t rows, size_t columns, size_t stride, uint32_t purpose) {
  AlignedVector<T> values(rows * stride, T{0});
  Draws draws = Random(6, "normals").draws(purpose);
  for (size_t i = 0; i < rows; ++i)
    for (size_t c = 0; c < columns; ++c) values[i * stride + c] = static_cast<T>(draws.normal());
  return values;
}

}  // namespace divns::testing
