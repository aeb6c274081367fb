// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// A read-only row-major table of float vectors: `dim` real columns in rows of `stride` >= dim
// floats, the padding zero.
struct VectorTable {
  const float* data = nullptr;
  uint32_t rows = 0;
  uint32_t dim = 0;
  uint32_t stride = 0;

  const float* row(uint32_t i) const { return data + size_t{i} * stride; }
};

}  // namespace divns
