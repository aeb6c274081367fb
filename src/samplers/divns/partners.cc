// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/partners.h"

#include <algorithm>

#include "samplers/divns/candidate_ranking.h"

namespace divns {

void pair_up(Draws& draws, uint32_t user, const CandidateDrawer& drawer, PartnerShortage shortage,
             std::span<uint32_t> partners, size_t diverse, std::vector<uint32_t>& scratch) {
  const std::span<uint32_t> missing = partners.subspan(diverse);
  if (shortage == PartnerShortage::kRefill) {
    drawer.draw_with_replacement(draws, user, missing);
    return shuffle(draws, partners);
  }
  if (diverse == 0 || shortage == PartnerShortage::kUnmixed) {
    std::fill(missing.begin(), missing.end(), kNoItem);
    return shuffle(draws, partners);
  }
  shuffle(draws, partners.first(diverse));
  if (missing.empty()) return;
  scratch.assign(partners.begin(), partners.begin() + static_cast<ptrdiff_t>(diverse));
  for (size_t at = diverse; at < partners.size(); at += diverse) {
    shuffle(draws, std::span(scratch));
    std::copy_n(scratch.begin(), std::min(diverse, partners.size() - at),
                partners.begin() + static_cast<ptrdiff_t>(at));
  }
}

}  // namespace divns
