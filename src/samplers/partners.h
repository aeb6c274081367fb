// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "samplers/candidates.h"
#include "samplers/divns_options.h"

namespace divns {

// Gives every hard negative of a user a partner: a random diverse item, each used once before any
// is used again. `partners` has a place for each hard negative and holds the diverse items in its
// first `diverse` places. A place that stays without a partner becomes kNoItem: all of them if
// there is nothing to recycle. `scratch` is the worker's.
void pair_up(Draws& draws, uint32_t user, const CandidateDrawer& drawer, PartnerShortage shortage,
             std::span<uint32_t> partners, size_t diverse, std::vector<uint32_t>& scratch);

}  // namespace divns
