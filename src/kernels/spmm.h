// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "divns/vectors.h"

namespace divns {

inline constexpr uint32_t kNoSlot = std::numeric_limits<uint32_t>::max();

// What a product adds to a row of its result: weight * a row of a table.
struct SpmmAddend {
  const float* rows = nullptr;  // of the stride of the source
  // Looked at where `rows` is null, only beside a half source: row / row_scale of a half table,
  // that is, what was made as `half_out`. It is written to `wide` as float32, too, if that is set.
  const uint32_t* half_rows = nullptr;
  float* wide = nullptr;
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
  // Where set, rows are read from here instead, in half the bytes (bfloat16.h); `source` still
  // tells the stride. These rows have been multiplied by the scale of their column when they were
  // made, and no weights are looked at.
  const uint32_t* half_source = nullptr;
  float sum_weight = 1;
  // To row r of the result, row addend_slots[r] of each, or row r where that is null; nothing where
  // it is kNoSlot.
  std::span<const SpmmAddend> addends = {};
  const uint32_t* addend_slots = nullptr;

  // The results, each where it is set. Rows have the stride of `source`.
  float* sums = nullptr;
  float* out = nullptr;
  // row_scale[r] * out.row(r), for the product that reads it; only beside a half source.
  uint32_t* half_out = nullptr;
};

// The rows rows[0..count), or first..first+count where `rows` is null.
void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count);

namespace reference {
void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count);
}  // namespace reference
}  // namespace divns
