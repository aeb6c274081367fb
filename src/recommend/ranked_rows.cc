// SPDX-License-Identifier: Apache-2.0
#include "recommend/ranked_rows.h"

#include <numeric>

#include "base/check.h"
#include "eval/score_ranking.h"
#include "numerics/unit_rows.h"

namespace divns {
namespace {

Table unit_table(const VectorTable& table, Similarity measure, const Executor& executor) {
  Table units;
  if (measure == Similarity::kCosine) unit_rows(table, executor, units);
  return units;
}

// `rank` calls the visitor that it is given as PackedItems::rank() does.
template <class Rank>
TopItems ranked_arrays(const RankingRequest& request, Rank&& rank) {
  TopItems top;
  top.k = request.k;
  top.items.assign(request.rows.size() * top.k, kNoItem);
  top.scores.assign(top.items.size(), 0.0F);
  top.lengths.resize(request.rows.size());
  rank([&](int, size_t n, std::span<const ScoredItem> list) {
    top.lengths[n] = static_cast<uint32_t>(list.size());
    for (size_t r = 0; r < list.size(); ++r) {
      top.items[n * top.k + r] = list[r].item;
      top.scores[n * top.k + r] = list[r].score;
    }
  });
  return top;
}

}  // namespace

TopItems rank_into_arrays(const PackedItems& packed, const RankingRequest& request,
                          const Executor& executor) {
  return ranked_arrays(request, [&](const auto& visit) { packed.rank(request, executor, visit); });
}

TopItems rank_into_arrays(const ScoreSource& source, const RankingRequest& request,
                          const Executor& executor,
                          std::optional<std::span<const uint32_t>> allowed) {
  return ranked_arrays(request, [&](const auto& visit) {
    rank_by_scores(source, request, executor, visit, allowed);
  });
}

void check_places(uint32_t k) {
  if (k == 0) fail("A list needs at least 1 place; k is 0.");
}

void check_rows(std::span<const uint32_t> rows, uint32_t count, const char* what) {
  for (const uint32_t row : rows)
    if (row >= count)
      fail("There is no {} {}: they are numbered from 0 to {}.", what, row, count - 1);
}

NearestRows::NearestRows(const VectorTable& table, Similarity measure, const Executor& executor)
    : units_(unit_table(table, measure, executor)),
      vectors_(measure == Similarity::kCosine ? units_.view() : table),
      packed_(vectors_, executor),
      offsets_(size_t{table.rows} + 1),
      own_(table.rows) {
  std::iota(offsets_.begin(), offsets_.end(), uint64_t{0});
  std::iota(own_.begin(), own_.end(), 0U);
}

TopItems NearestRows::nearest(std::span<const uint32_t> rows, uint32_t k,
                              const Executor& executor) const {
  check_places(k);
  check_rows(rows, vectors_.rows, "row");
  const Interactions mask = {offsets_, own_, vectors_.rows};
  return rank_into_arrays(
      packed_, {.users = vectors_, .rows = rows, .masks = std::span(&mask, 1), .k = k}, executor);
}

}  // namespace divns
