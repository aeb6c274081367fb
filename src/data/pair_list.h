// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/scratch.h"
#include "data/id_list.h"
#include "data/slab_store.h"

namespace divns {

// Distinct pairs, when they happened, and the ids that the numbers stand for.
struct PairList {
  SlabStore pairs;
  IdList user_ids;
  IdList item_ids;

  uint32_t users() const { return static_cast<uint32_t>(user_ids.size()); }
  uint32_t items() const { return static_cast<uint32_t>(item_ids.size()); }
};

}  // namespace divns
