// SPDX-License-Identifier: Apache-2.0
#include "samplers/candidates.h"

#include <algorithm>

namespace divns {

uint32_t CandidateDrawer::missing_item(uint32_t user, uint32_t rank) const {
  // Before the j-th owned item (from 0) there are owned[j] - j missing ones. The answer is rank
  // plus the number of owned items with owned[j] - j <= rank.
  const std::span<const uint32_t> owned = train_.row(user);
  const uint32_t* base = owned.data();
  size_t length = owned.size();
  size_t before = 0;
  while (length > 0) {
    const size_t half = length / 2;
    const size_t middle = before + half;
    const bool right = base[middle] - static_cast<uint32_t>(middle) <= rank;
    before = right ? middle + 1 : before;
    length = right ? length - half - 1 : half;
  }
  return rank + static_cast<uint32_t>(before);
}

uint32_t CandidateDrawer::draw(Draws& draws, uint32_t user) const {
  return missing_item(user, draws.below(available(user)));
}

void CandidateDrawer::draw_with_replacement(Draws& draws, uint32_t user,
                                            std::span<uint32_t> out) const {
  const uint32_t n = available(user);
  for (uint32_t& item : out) item = missing_item(user, draws.below(n));
}

size_t CandidateDrawer::draw_without_replacement(Draws& draws, uint32_t user,
                                                 std::span<uint32_t> out) const {
  const uint32_t n = available(user);
  const std::span<uint32_t> ranks = out.first(std::min<size_t>(out.size(), n));
  sample_without_replacement(draws, n, ranks);
  for (uint32_t& rank : ranks) rank = missing_item(user, rank);
  return ranks.size();
}

}  // namespace divns
