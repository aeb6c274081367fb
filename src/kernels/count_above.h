// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace divns {

// Number of values greater than `cut`; NaN does not count.
uint32_t count_above(std::span<const float> values, float cut);

namespace reference {
inline uint32_t count_above(std::span<const float> values, float cut) {
  uint32_t count = 0;
  for (const float value : values) count += value > cut ? 1U : 0U;
  return count;
}
}  // namespace reference

}  // namespace divns
