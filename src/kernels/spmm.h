// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "divns/vectors.h"

namespace divns {

inline constexpr uint32_t kNoSlot = std::numeric_limits<uint32_t>::max();

// One direction of a sparse symmetric-normalised product,
//   out.row(r) = row_scale[r] * sum over columns c of row r: column_scale[c] * source.row(c).
// The factored scales stand for the weights 1/sqrt(degree(r) degree(c)), which are never stored by
// edge.
struct SpmmProblem {
  const uint64_t* offsets = nullptr;
  const uint32_t* columns = nullptr;
  const float* row_scale = nullptr;
  const float* column_scale = nullptr;
  VectorTable source;
  // Where only some columns have a source row: the row of column c is slots[c], kNoSlot for none.
  // Null means that column c is row c.
  const uint32_t* slots = nullptr;
  float* out = nullptr;  // rows of the stride of `source`, indexed by r
  // Where set, rows are read from here instead, in bfloat16; `source` still tells the stride.
  const uint16_t* half_source = nullptr;
  // Where set, takes `out` in bfloat16 too.
  uint16_t* half_out = nullptr;
};

// The rows rows[0..count), or first..first+count where `rows` is null.
void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count);

namespace reference {
void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count);
}  // namespace reference
}  // namespace divns
