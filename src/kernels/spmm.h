// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "divns/vectors.h"

namespace divns {

inline constexpr uint32_t kNoSlot = std::numeric_limits<uint32_t>::max();

// What a product adds to row r of its result: weight * row slots[r] of a table, or row r where
// `slots` is null, or nothing where that is kNoSlot.
struct SpmmAddend {
  const float* rows = nullptr;  // of the stride of the source
  // The same in bfloat16, looked at where `rows` is null; only beside a source in bfloat16. What is
  // read is then written to `wide` as float32, if that is set.
  const uint16_t* half_rows = nullptr;
  float* wide = nullptr;
  const uint32_t* slots = nullptr;
  float weight = 1;
};

// One direction of a sparse symmetric-normalised product,
//   sums.row(r) = row_scale[r] * sum over edges e of row r: weights[e] * source.row(columns[e])
//   out.row(r) = addends, in their order, + sum_weight * sums.row(r)
// The weight of an edge is the scale of its column, 1/sqrt(degree): by edge, since a second random
// access for every edge costs more than reading the weights in order.
struct SpmmProblem {
  const uint64_t* offsets = nullptr;
  const uint32_t* columns = nullptr;
  const float* weights = nullptr;
  const float* row_scale = nullptr;
  VectorTable source;
  // Where only some columns have a source row: the row of column c is slots[c], kNoSlot for none.
  // Null means that column c is row c.
  const uint32_t* slots = nullptr;
  // Where set, rows are read from here instead, in bfloat16; `source` still tells the stride.
  const uint16_t* half_source = nullptr;
  float sum_weight = 1;
  std::span<const SpmmAddend> addends = {};

  // The results, each where it is set; half_out, which is `out` in bfloat16, only beside a source
  // in bfloat16. Rows have the stride of `source`.
  float* sums = nullptr;
  float* out = nullptr;
  uint16_t* half_out = nullptr;
};

// The rows rows[0..count), or first..first+count where `rows` is null, which `slots` asks for.
void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count);

namespace reference {
void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count);
}  // namespace reference
}  // namespace divns
