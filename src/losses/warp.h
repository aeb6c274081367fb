// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/loss.h"

namespace divns {

// WARP: weighted approximate-rank pairwise loss of Weston et al. with margin m. Negatives are taken
// in their order until one violates the margin, the N-th say. The rank of the positive is estimated
// by r = max(1, floor(|items that the user does not own| / N)), and the loss is
//   H(r) (m - s_p + s_N),  H(r) = sum_{j <= r} 1/j,
// or 0 if no negative violates the margin. The estimate assumes uniformly drawn negatives. K is the
// largest number of draws. Importance weights are rejected.
std::unique_ptr<Loss> make_warp();

}  // namespace divns
