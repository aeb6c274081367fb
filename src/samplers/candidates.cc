// SPDX-License-Identifier: Apache-2.0
#include "samplers/candidates.h"

#include <algorithm>

namespace divns {
namespace {

// A user who owns more than this, or more than half of all items, is served by rank.
constexpr size_t kMostFiltered = 256;
constexpr int kMostTries = 16;

}  // namespace

CandidateDrawer::CandidateDrawer(const Interactions& train)
    : train_(train), filters_(train.users()) {
  for (uint32_t user = 0; user < train.users(); ++user)
    for (const uint32_t item : train.row(user)) filters_[user].add(item);
}

bool CandidateDrawer::owns(uint32_t user, uint32_t item) const {
  if (!filters_[user].may_hold(item)) return false;
  const std::span<const uint32_t> owned = train_.row(user);
  return std::binary_search(owned.begin(), owned.end(), item);
}

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
  const size_t owned = train_.row(user).size();
  if (owned <= kMostFiltered && 2 * owned <= train_.item_count)
    for (int tries = 0; tries < kMostTries; ++tries) {
      const uint32_t item = draws.below(train_.item_count);
      if (!owns(user, item)) return item;
    }
  return missing_item(user, draws.below(available(user)));
}

void CandidateDrawer::draw_with_replacement(Draws& draws, uint32_t user,
                                            std::span<uint32_t> out) const {
  for (uint32_t& item : out) item = draw(draws, user);
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
