// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "samplers/sampler.h"

namespace divns {

// Disentangled negative sampling: gates, trained by a contrastive loss, tell the coordinates that
// matter to a user from the others; the negative is the candidate that resembles what the user
// likes where it does not matter. At every hop its own, by
//   argmax_j e_u . ((1 - b) e_j - j_r),   b = min(1, epoch / warmup).
std::unique_ptr<Sampler> make_dens();

}  // namespace divns
