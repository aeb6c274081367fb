// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "data/pair_list.h"

namespace divns {

// Repeatedly drops users with fewer than `user_core` and items with fewer than `item_core` pairs
// until none is left to drop. Returns the number of rounds. Ids without any pair are dropped, and
// what remains is renumbered, in the same order.
int keep_core(PairList& list, uint32_t user_core, uint32_t item_core);

}  // namespace divns
