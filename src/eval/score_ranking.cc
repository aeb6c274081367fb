// SPDX-License-Identifier: Apache-2.0
#include "eval/score_ranking.h"

#include <limits>
#include <numeric>

namespace divns {

ScoreRanking::ScoreRanking(const ScoreSource& source,
                           std::optional<std::span<const uint32_t>> allowed)
    : source_(&source), scores_(kUsers, source.items()), all_(!allowed) {
  if (allowed) {
    ids_.assign(allowed->begin(), allowed->end());
  } else {
    ids_.resize(source.items());
    std::iota(ids_.begin(), ids_.end(), 0U);
  }
}

void ScoreRanking::score(std::span<const uint32_t> users) {
  source_->score(users, scores_);
}

std::span<const ScoredItem> ScoreRanking::rank(size_t n, uint32_t user,
                                               std::span<const Interactions> masks, uint32_t k) {
  float* scores = scores_.row(n);
  for (const Interactions& mask : masks)
    for (const uint32_t item : mask.row(user))
      scores[item] = -std::numeric_limits<float>::infinity();
  // Ascending, so that no score is overwritten before it is read.
  if (!all_)
    for (size_t i = 0; i < ids_.size(); ++i) scores[i] = scores[ids_[i]];
  top_.start(k);
  top_.start_with(ids_, {scores, ids_.size()});
  top_.finish(list_);
  return list_;
}

}  // namespace divns
