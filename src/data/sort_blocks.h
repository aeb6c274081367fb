// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/id_column.h"
#include "data/parsed_blocks.h"
#include "data/slab_store.h"
#include "divns/parallel.h"

namespace divns {

struct SortRequest {
  const IdOrder& users;
  const IdOrder& items;
  uint32_t user_count = 0;
  uint32_t item_count = 0;
  bool timed = false;
  std::span<const size_t> group_of_file = {};
  size_t groups = 1;
  uint64_t pairs_at_once = UINT64_MAX;
};

// The distinct pairs of each group of files. Where a pair occurs several times within a group, the
// earliest time stays. Slab k of each group has the same users. The blocks are gone afterwards.
//
// Blocks in memory are sorted at once. Blocks on disk are sorted in two passes: as many as fit into
// memory become a sorted run on disk; then the pairs of a few neighbouring users at a time, as many
// as fit, are gathered from all runs. A user whose pairs alone exceed `pairs_at_once` is passed to
// `too_many`, which may throw.
std::vector<SlabStore> sort_blocks(ParsedBlocks& blocks, const SortRequest& request,
                                   ScratchSpace& disk,
                                   const std::function<void(uint64_t pairs)>& too_many,
                                   const Executor& executor);

}  // namespace divns
