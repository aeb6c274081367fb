// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/loss.h"

namespace divns {

// Bilateral softmax of Wu et al. with temperature tau and ratio t = tau1/tau2, in two modes:
//   reweight  -s_p/tau + t log sum_k exp(s_k/tau)
//   multi     -log mean_{p'} exp(s_p'/tau) + t log( (1/K) sum_k exp(s_k/tau) ),
// where p' runs over the positives of the user's rows in the batch. Importance weights enter the
// sum over the negatives (losses/log_sum_exp.h). Finite for any finite scores.
std::unique_ptr<Loss> make_bsl();

}  // namespace divns
