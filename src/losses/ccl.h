// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/loss.h"

namespace divns {

// Cosine contrastive loss with margin m and weight w:
//   (1 - c_p) + (w/K) sum_k max(0, c_k - m).
// Scores must be cosines: the first term has no lower bound for inner products. Importance weights
// a_k replace 1/K.
std::unique_ptr<Loss> make_ccl();

}  // namespace divns
