// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "divns/parallel.h"
#include "divns/scores.h"
#include "eval/ranking.h"
#include "eval/top_list.h"

namespace divns {

// Scratch of one thread to rank by a score source.
class ScoreRanking {
 public:
  // All items, or only `allowed` (ascending).
  ScoreRanking(const ScoreSource& source, std::optional<std::span<const uint32_t>> allowed);

  // Scores several users at once, because they share what the source reads.
  static constexpr size_t kUsers = 16;
  void score(std::span<const uint32_t> users);
  // The ranking of the n-th of them. Call it once for each, because it masks in place.
  std::span<const ScoredItem> rank(size_t n, uint32_t user, std::span<const Interactions> masks,
                                   uint32_t k);

 private:
  const ScoreSource* source_;
  Table scores_;
  bool all_;
  std::vector<uint32_t> ids_;  // of the items to rank
  TopList top_;
  std::vector<ScoredItem> list_;
};

// PackedItems::rank() for a score source instead of vectors: `request.users` and `tiles` are
// ignored.
template <class Visit>
void rank_by_scores(const ScoreSource& source, const RankingRequest& request,
                    const Executor& executor, Visit&& visit,
                    std::optional<std::span<const uint32_t>> allowed = std::nullopt) {
  std::vector<ScoreRanking> workers;
  for (int w = 0; w < executor.threads(); ++w) workers.emplace_back(source, allowed);
  executor.for_chunks_with_worker(
      request.rows.size(), ScoreRanking::kUsers, [&](int id, size_t begin, size_t end) {
        ScoreRanking& worker = workers[static_cast<size_t>(id)];
        worker.score(request.rows.subspan(begin, end - begin));
        for (size_t n = begin; n < end; ++n)
          visit(id, n, worker.rank(n - begin, request.rows[n], request.masks, request.k));
      });
}

}  // namespace divns
