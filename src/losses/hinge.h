// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/loss.h"

namespace divns {

// Hinge loss with margin m:
//   (1/K) sum_k max(0, m - s_p + s_k).
// Importance weights a_k replace 1/K.
std::unique_ptr<Loss> make_hinge();

}  // namespace divns
