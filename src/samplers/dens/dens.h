// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// Disentangled negative sampling. Gates, trained with a contrastive loss, divide the coordinates of
// an item into those that are relevant to a user and those that are not. The negative is the
// candidate whose irrelevant part scores highest. Each hop has its own choice:
//   argmax_j e_u . ((1 - b) e_j - j_r),   b = min(1, epoch / warmup).
std::unique_ptr<Sampler> make_dens();

}  // namespace divns
