// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/loss.h"

namespace divns {

// Softmax over K negatives with temperature tau:
//   -s_p/tau + log sum_k exp(s_k/tau),
// and with softmax.positive_in_denominator (InfoNCE)
//   -s_p/tau + log(exp(s_p/tau) + sum_k exp(s_k/tau)).
// Importance weights enter the sum (losses/log_sum_exp.h). Finite for any finite scores.
std::unique_ptr<Loss> make_softmax();

}  // namespace divns
