// SPDX-License-Identifier: Apache-2.0
#include "samplers/candidates.h"

#include <algorithm>

namespace divns {

uint32_t CandidateDrawer::missing_item(uint32_t user, uint32_t rank) const {
  // Before the j-th owned item (from 0) there are owned[j] - j missing ones. The answer is rank
  // plus the number of owned items with owned[j] - j <= rank.
  const std::span<const uint32_t> owned = train_.row(user);
  size_t before = 0;
  // The number of rounds depends on the length alone, and each chooses without a branch.
  for (size_t length = owned.size(); length > 0;) {
    const size_t half = (length + 1) / 2;
    const size_t last = before + half - 1;
    before = owned[last] - static_cast<uint32_t>(last) <= rank ? before + half : before;
    length -= half;
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
