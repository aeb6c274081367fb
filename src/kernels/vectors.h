// SPDX-License-Identifier: Apache-2.0
// Vector kernels over padded rows: every length `n` is a multiple of kRowQuantum, so there are no
// tails. They use at most eight lanes, so AVX2 and AVX-512 machines give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "divns/vectors.h"

namespace divns {

// Prefetches a row for reading.
inline void prefetch_floats(const float* row, size_t n) {
  for (size_t i = 0; i < n; i += 16) __builtin_prefetch(row + i);
}

// Prefetches a row for writing, which invalidates copies in other cores.
inline void prefetch_floats_to_write(const float* row, size_t n) {
  for (size_t i = 0; i < n; i += 16) __builtin_prefetch(row + i, 1);
}

float dot(const float* a, const float* b, size_t n);

// y += alpha x
void axpy(float alpha, const float* x, float* y, size_t n);

// scores[j] = query . table.row(ids[j]), with the order of additions of dot().
void gather_scores(const float* query, VectorTable table, const uint32_t* ids, size_t count,
                   float* scores);

// out = sum_j weights[j] * table.row(ids[j]), in the order of j; zero if count is 0. Reads and
// writes padded(table.dim) columns: the table may be some columns of a wider one.
void gather_sum(VectorTable table, const uint32_t* ids, const float* weights, size_t count,
                float* out);

// Scalar references of the kernels above; tests compare them.
namespace reference {

float dot(const float* a, const float* b, size_t n);
void axpy(float alpha, const float* x, float* y, size_t n);
void gather_sum(VectorTable table, const uint32_t* ids, const float* weights, size_t count,
                float* out);

}  // namespace reference
}  // namespace divns
