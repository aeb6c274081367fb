// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/partners.h"

#include <algorithm>

#include "samplers/divns/candidate_ranking.h"

namespace divns {

void pair_up(Draws& draws, uint32_t user, const CandidateDrawer& drawer,
             const DivnsOptions& options, std::span<uint32_t> partners, size_t diverse,
             std::vector<uint32_t>& scratch) {
  const bool ordered = options.pairing == DivnsPairing::kOrdered;
  const auto reorder = [&](std::span<uint32_t> items) {
    if (!ordered) shuffle(draws, items);
  };
  const std::span<uint32_t> missing = partners.subspan(diverse);
  if (options.shortage == PartnerShortage::kRefill) {
    drawer.draw_with_replacement(draws, user, missing);
    return reorder(partners);
  }
  if (diverse == 0 || options.shortage == PartnerShortage::kUnmixed) {
    std::fill(missing.begin(), missing.end(), kNoItem);
    return reorder(partners);
  }
  reorder(partners.first(diverse));
  if (missing.empty()) return;
  scratch.assign(partners.begin(), partners.begin() + static_cast<ptrdiff_t>(diverse));
  for (size_t at = diverse; at < partners.size(); at += diverse) {
    reorder(scratch);
    std::copy_n(scratch.begin(), std::min(diverse, partners.size() - at),
                partners.begin() + static_cast<ptrdiff_t>(at));
  }
}

void set_mixtures(const ChosenItems& items, double lambda, Negatives& negatives) {
  negatives.reset(items.hard.size() / items.lists, items.lists, 2);
  const auto weight = static_cast<float>(lambda);
  for (size_t i = 0; i < items.hard.size(); ++i) {
    Term* const terms = negatives.terms.data() + 2 * i;
    const bool alone = items.partners[i] == kNoItem;
    terms[0] = {items.hard[i], kEveryHop, alone ? 1 : weight};
    terms[1] = {alone ? items.hard[i] : items.partners[i], kEveryHop, alone ? 0 : 1 - weight};
  }
}

void set_pairs(const ChosenItems& items, Negatives& negatives) {
  negatives.reset(items.hard.size() / items.lists, 2 * items.lists, 1);
  for (size_t i = 0; i < items.hard.size(); ++i) {
    negatives.terms[2 * i].item = items.hard[i];
    negatives.terms[2 * i + 1].item =
        items.partners[i] == kNoItem ? items.hard[i] : items.partners[i];
  }
}

}  // namespace divns
