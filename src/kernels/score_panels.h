// SPDX-License-Identifier: Apache-2.0
// All inner products of a block of users with a panel of items, keeping only those that beat the
// user's threshold, so that the score matrix is never written anywhere.
//
// A score is one chain of fused multiply-adds over the columns, first to last:
//   s = fma(u[d-1], v[d-1], ... fma(u[1], v[1], u[0] v[0]))
// so its bits do not depend on where the pair sits in a block, on the block sizes, on the vector
// width or on the threads. (A BLAS promises nothing of the kind: OpenBLAS changes the order of
// summation at the edges of its blocks.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// Users are packed in tiles of this many, column by column: tile[k][user].
inline constexpr uint32_t kTileUsers = 6;

// Items to a panel on this machine (two vector registers), packed column by column: panel[k][item].
uint32_t panel_width();

// The scores of one user with one panel, and which of them matter.
struct ScoredRow {
  uint32_t user;  // position in the block of users
  uint32_t bits;  // bit i: item first_item + i is above the threshold
  float scores[32];
};

// Writes a row for every user who has a score above thresholds[user] in this panel, users
// ascending, and returns how many. `rows` has room for tiles * kTileUsers. NaN is above nothing.
//   users       tiles x dim x kTileUsers
//   panel       dim x panel_width(), of which the first `items` exist
//   thresholds  tiles x kTileUsers; infinity for a padding user
size_t score_panel(const float* users, size_t tiles, const float* panel, uint32_t items,
                   uint32_t dim, const float* thresholds, ScoredRow* rows);

namespace reference {
// The same score, written plainly; the same bits where the machine has fused multiply-adds.
float score(const float* user, const float* item, uint32_t dim);
}  // namespace reference

}  // namespace divns
