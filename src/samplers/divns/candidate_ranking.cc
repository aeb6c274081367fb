// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/candidate_ranking.h"

#include <algorithm>

#include "kernels/vectors.h"

namespace divns {

void rank_best(std::span<const uint32_t> items, std::span<const float> scores,
               std::span<uint32_t> ranked, std::span<float> best_scores) {
  size_t count = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    size_t place = count;
    while (place > 0 && scores[i] > best_scores[place - 1]) --place;
    if (place == ranked.size()) continue;
    // An earlier occurrence of the item has the same score, so it is among the entries just above.
    size_t twin = place;
    while (twin > 0 && best_scores[twin - 1] == scores[i] && ranked[twin - 1] != items[i]) --twin;
    if (twin > 0 && best_scores[twin - 1] == scores[i]) continue;
    count = std::min(count + 1, ranked.size());
    for (size_t j = count - 1; j > place; --j) {
      ranked[j] = ranked[j - 1];
      best_scores[j] = best_scores[j - 1];
    }
    ranked[place] = items[i];
    best_scores[place] = scores[i];
  }
  std::fill(ranked.begin() + static_cast<ptrdiff_t>(count), ranked.end(), kNoItem);
}

void CandidateRanking::draw(Draws& draws, uint32_t user, std::span<uint32_t> list) const {
  const size_t drawn = drawer_.draw_list(draws, user, list);
  std::fill(list.begin() + static_cast<ptrdiff_t>(drawn), list.end(), list[0]);
}

void CandidateRanking::rank(const float* user_vector, const VectorTable& items,
                            std::span<const uint32_t> lists, std::span<uint32_t> ranked,
                            Scratch& scratch) const {
  scratch.scores.resize(lists.size());
  scratch.best_scores.resize(kept_);
  gather_scores(user_vector, items, lists.data(), lists.size(), scratch.scores.data());
  for (size_t l = 0; l * candidates_ < lists.size(); ++l)
    rank_best(lists.subspan(l * candidates_, candidates_),
              std::span(scratch.scores).subspan(l * candidates_, candidates_),
              ranked.subspan(l * kept_, kept_), scratch.best_scores);
}

}  // namespace divns
