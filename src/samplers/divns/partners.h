// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/random.h"
#include "samplers/candidates.h"
#include "samplers/divns/settings.h"

namespace divns {

// Gives every hard negative of a user a random diverse item as its partner. Each item is used once
// before any is used again. `partners` has one entry per hard negative; on input its first
// `diverse` entries are the diverse items. Entries without a partner become kNoItem: all of them if
// there are no diverse items. `scratch` belongs to the worker.
void pair_up(Draws& draws, uint32_t user, const CandidateDrawer& drawer, PartnerShortage shortage,
             std::span<uint32_t> partners, size_t diverse, std::vector<uint32_t>& scratch);

}  // namespace divns
