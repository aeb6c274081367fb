// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "data/pair_list.h"

namespace divns {

// Repeatedly drops users with fewer than `user_core` and items with fewer than `item_core` pairs
// until none is left to drop. Returns the number of rounds. What remains is renumbered, in the same
// order.
int keep_core(PairList& pairs, uint32_t user_core, uint32_t item_core);

// Drops ids without any pair and closes the gaps in the numbering.
void renumber(PairList& pairs);

}  // namespace divns
