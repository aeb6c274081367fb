// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace divns {

// In an array that gives the slot of each row in a compact table: the row has none.
inline constexpr uint32_t kNoSlot = std::numeric_limits<uint32_t>::max();

}  // namespace divns
