// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "distributed/communicator.h"

namespace divns {

// How the users of a training over blocks are divided (option `blocks`), for models that sum over
// users. The sums of the blocks are added in the order of the blocks, one after another, so they
// depend neither on the number of ranks nor on which rank has which blocks.
struct UserBlocks {
  uint32_t count = 1;  // on all ranks
  // The first user of each block of this rank, numbered within the rank, and the number of users.
  std::vector<uint32_t> bounds;
  std::span<const uint32_t> item_degrees;  // number of pairs of each item, with users of all ranks
  Communicator* ranks = nullptr;           // in the order of their blocks
};

}  // namespace divns
