// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace divns {

// What of a kernel counts as nothing: eigenvalues below this share of the largest and, in greedy
// steps, what is left of a K_ii beside the largest. float32 rows that are equal up to rounding
// leave about 1e-14.
inline constexpr double kRankTolerance = 1e-10;

}  // namespace divns
