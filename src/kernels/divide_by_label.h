// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace divns {

// Appends every value to the output selected by its label (0, 1 or 2), keeping the order.
// outputs[label] points to the next entry and advances. Nothing else is written, so adjacent memory
// may belong to another thread.
void divide_by_label(std::span<const uint32_t> values, std::span<const uint8_t> labels,
                     std::array<uint32_t*, 3>& outputs);

namespace reference {
inline void divide_by_label(std::span<const uint32_t> values, std::span<const uint8_t> labels,
                            std::array<uint32_t*, 3>& outputs) {
  for (size_t i = 0; i < values.size(); ++i) *outputs[labels[i]]++ = values[i];
}
}  // namespace reference

}  // namespace divns
