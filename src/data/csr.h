// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/scratch.h"
#include "divns/interactions.h"

namespace divns {

// Owns what an Interactions looks at.
struct Csr {
  std::vector<uint64_t> offsets;
  ScratchVector<uint32_t> items;

  Interactions view(uint32_t item_count) const { return {offsets, items, item_count}; }
};

// Rows from keys (user << 32 | item) that ascend.
Csr rows_of_keys(std::span<const uint64_t> keys, uint32_t users);

// The pairs whose label is p, as rows, for p = 0, 1, 2; `keys` ascend and `labels` has one for
// each.
std::vector<Csr> rows_by_label(std::span<const uint64_t> keys, std::span<const uint8_t> labels,
                               uint32_t users, const Executor& executor);

}  // namespace divns
