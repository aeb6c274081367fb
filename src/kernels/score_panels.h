// SPDX-License-Identifier: Apache-2.0
// All inner products of a block of users with a panel of items. Only scores above the user's
// threshold are kept, so the score matrix is never written to memory.
//
// A score is one chain of fused multiply-adds over the columns, first to last:
//   s = fma(u[d-1], v[d-1], ... fma(u[1], v[1], u[0] v[0]))
// Its bits do not depend on the position of the pair in a block, the block sizes, the vector width
// or the threads. (BLAS gives no such guarantee: OpenBLAS changes the order of summation at block
// edges.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// Users are packed in tiles of this size, column by column: tile[k][user].
inline constexpr uint32_t kTileUsers = 6;

// Number of items per panel on this machine (two vector registers), packed column by column:
// panel[k][item].
uint32_t panel_width();

// Scores of one user with one panel, and a mask of those above the threshold.
struct ScoredRow {
  uint32_t user;  // position in the block of users
  uint32_t bits;  // bit i: item first_item + i is above the threshold
  float scores[32];
};

// Writes a row for every user with a score above thresholds[user] in this panel, users ascending,
// and returns their number. `rows` must have room for tiles * kTileUsers entries. NaN is never
// above a threshold.
//   users       tiles x dim x kTileUsers
//   panel       dim x panel_width(), of which the first `items` are valid
//   thresholds  tiles x kTileUsers; infinity for padding users
size_t score_panel(const float* users, size_t tiles, const float* panel, uint32_t items,
                   uint32_t dim, const float* thresholds, ScoredRow* rows);

namespace reference {
// Reference for one score; the same bits on machines with fused multiply-add.
float score(const float* user, const float* item, uint32_t dim);
}  // namespace reference

}  // namespace divns
