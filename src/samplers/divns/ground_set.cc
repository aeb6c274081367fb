// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/ground_set.h"

#include <algorithm>
#include <bit>

#include "samplers/divns/candidate_ranking.h"

namespace divns {

void sort_distinct(std::span<const uint32_t> list, std::vector<uint32_t>& out) {
  out.assign(list.begin(), list.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (!out.empty() && out.back() == kNoItem) out.pop_back();
}

size_t GroundSet::build(std::span<const uint32_t> cached, std::span<const uint32_t> hard,
                        std::span<uint32_t> out) {
  // Reading a word of marks costs about 1/16 of sorting an item.
  return marks_.size() <= 16 * cached.size() ? by_marks(cached, hard, out)
                                             : by_sorting(cached, hard, out);
}

size_t GroundSet::by_marks(std::span<const uint32_t> cached, std::span<const uint32_t> hard,
                           std::span<uint32_t> out) {
  for (const uint32_t item : cached)
    if (item != kNoItem) marks_[item / 64] |= uint64_t{1} << (item % 64);
  for (const uint32_t item : hard)
    if (item != kNoItem) marks_[item / 64] &= ~(uint64_t{1} << (item % 64));
  size_t count = 0;
  for (size_t word = 0; word < marks_.size(); ++word) {
    for (uint64_t bits = marks_[word]; bits != 0; bits &= bits - 1)
      out[count++] =
          static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(std::countr_zero(bits));
    marks_[word] = 0;
  }
  return count;
}

size_t GroundSet::by_sorting(std::span<const uint32_t> cached, std::span<const uint32_t> hard,
                             std::span<uint32_t> out) {
  sort_distinct(cached, sorted_);
  sort_distinct(hard, sorted_hard_);
  const auto end = std::set_difference(sorted_.begin(), sorted_.end(), sorted_hard_.begin(),
                                       sorted_hard_.end(), out.begin());
  return static_cast<size_t>(end - out.begin());
}

}  // namespace divns
