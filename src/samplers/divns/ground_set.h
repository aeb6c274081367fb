// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace divns {

// Forms ground sets G = C \ H from lists of cached items and hard negatives. One object per worker.
class GroundSet {
 public:
  explicit GroundSet(uint32_t items) : marks_((items + 63) / 64, 0) {}

  // Writes the items of `cached` that are not in `hard`, each once and ascending, and returns their
  // number. Both lists may contain repeated items and kNoItem. `out` has the size of `cached`.
  size_t build(std::span<const uint32_t> cached, std::span<const uint32_t> hard,
               std::span<uint32_t> out);

 private:
  size_t by_marks(std::span<const uint32_t> cached, std::span<const uint32_t> hard,
                  std::span<uint32_t> out);
  size_t by_sorting(std::span<const uint32_t> cached, std::span<const uint32_t> hard,
                    std::span<uint32_t> out);

  std::vector<uint64_t> marks_;  // one bit per item, all 0 between calls
  std::vector<uint32_t> sorted_;
  std::vector<uint32_t> sorted_hard_;
};

// The distinct items of a list, ascending, without kNoItem.
void sort_distinct(std::span<const uint32_t> list, std::vector<uint32_t>& out);

}  // namespace divns
