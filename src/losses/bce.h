// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/loss.h"

namespace divns {

// Binary cross-entropy, with w the weight of the negatives:
//   log(1 + exp(-s_p)) + (w/K) sum_k log(1 + exp s_k).
// Importance weights a_k replace 1/K. Finite for any finite scores.
std::unique_ptr<Loss> make_bce();

}  // namespace divns
