// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "samplers/sampler.h"

namespace divns {

// Diverse negative sampling (docs/divns.md). Before an epoch, for every user u and with parameters
// at rest:
//   1. each positive gets n candidates; the one with the highest score is its hard negative, the
//      next m go to the user's cache C_u;
//   2. from last epoch's cache without the hard negatives of now, a k-DPP chooses as many diverse
//      items as there are hard negatives, with kernel q_i q_j v_i.v_j, where q falls with the
//      mean cosine to the hard negatives;
//   3. each hard negative gets one of them as its partner, at random.
// The negative of a positive is lambda e_hard + (1 - lambda) e_partner. The first epoch, without a
// cache, uses hard negatives alone.
std::unique_ptr<Sampler> make_divns();

}  // namespace divns
