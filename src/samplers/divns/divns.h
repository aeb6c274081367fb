// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// Diverse negative sampling (docs/divns.md). Before an epoch, with fixed parameters, for every user
// u:
//   1. each positive gets n candidates; the one with the highest score is its hard negative, the
//      next m go into the cache C_u of the user;
//   2. from the cache of the last epoch without the current hard negatives, a k-DPP chooses as many
//      diverse items as there are hard negatives, with kernel q_i q_j v_i.v_j, where q decreases
//      with the mean cosine to the hard negatives;
//   3. each hard negative gets a random one of them as its partner.
// The negative of a positive is lambda e_hard + (1 - lambda) e_partner. The first epoch has no
// cache and uses hard negatives only.
std::unique_ptr<Sampler> make_divns();

}  // namespace divns
