// SPDX-License-Identifier: Apache-2.0
#include "eval/score_ranking.h"

#include <limits>
#include <numeric>

namespace divns {

ScoreRanking::ScoreRanking(const ScoreSource& source)
    : source_(&source), scores_(kUsers, source.items()), ids_(source.items()) {
  std::iota(ids_.begin(), ids_.end(), 0U);
}

void ScoreRanking::score(std::span<const uint32_t> users) {
  source_->score(users, scores_);
}

std::span<const ScoredItem> ScoreRanking::rank(size_t n, uint32_t user,
                                               std::span<const Interactions> masks, uint32_t k) {
  const std::span<float> scores(scores_.row(n), ids_.size());
  for (const Interactions& mask : masks)
    for (const uint32_t item : mask.row(user))
      scores[item] = -std::numeric_limits<float>::infinity();
  top_.start(k);
  top_.start_with(ids_, scores);
  top_.finish(list_);
  return list_;
}

}  // namespace divns
