// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace divns {

// Relative size below which a kernel value counts as zero: eigenvalues compared with the largest
// one and, in greedy steps, the remainder of K_ii compared with the largest one. float32 rows that
// are equal up to rounding leave about 1e-14.
inline constexpr double kRankTolerance = 1e-10;

}  // namespace divns
