// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/slots.h"
#include "divns/vectors.h"

namespace divns {

// An addend of a product: weight * one row of a table, added to each row of the result.
struct SpmmAddend {
  const float* rows = nullptr;  // stride of the source
  // Used if `rows` is null, only with a half-precision source: row / row_scale of a half table, as
  // written by `half_out`. If `wide` is set, the row is also written there as float32.
  const uint32_t* half_rows = nullptr;
  float* wide = nullptr;
  float weight = 1;
};

// One direction of a sparse symmetric-normalised product:
//   sums.row(r) = row_scale[r] * sum over edges e of row r: weights[e] * source.row(columns[e])
//   out.row(r) = addends, in their order, + sum_weight * sums.row(r)
// The weight of an edge is the scale of its column, 1/sqrt(degree). It is stored per edge because
// reading it in order is cheaper than a second random access per edge.
struct SpmmProblem {
  const uint64_t* offsets = nullptr;
  const uint32_t* columns = nullptr;
  const float* weights = nullptr;
  const float* row_scale = nullptr;
  VectorTable source;
  // If only some columns have a source row: slots[c] is the row of column c, kNoSlot for none. If
  // null, column c is row c.
  const uint32_t* slots = nullptr;
  // If set, rows are read from here in half precision (bfloat16.h); `source` still gives the
  // stride. These rows were multiplied by the scale of their column when they were written, so
  // weights are not read.
  const uint32_t* half_source = nullptr;
  float sum_weight = 1;
  // Row addend_slots[r] of each addend is added to row r of the result; row r if addend_slots is
  // null; nothing for kNoSlot.
  std::span<const SpmmAddend> addends = {};
  const uint32_t* addend_slots = nullptr;

  // Results, each written if set. Rows have the stride of `source`.
  float* sums = nullptr;
  float* out = nullptr;
  // row_scale[r] * out.row(r), as input of the next product; only with a half-precision source.
  uint32_t* half_out = nullptr;
};

// Computes rows[0..count), or first..first+count if `rows` is null.
void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count);

namespace reference {
void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count);
}  // namespace reference
}  // namespace divns
