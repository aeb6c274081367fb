// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "divns/parallel.h"
#include "divns/recommend.h"
#include "divns/scores.h"
#include "divns/table.h"
#include "eval/ranking.h"

namespace divns {

TopItems rank_into_arrays(const PackedItems& packed, const RankingRequest& request,
                          const Executor& executor);
// By the scores of a source; all items, or only `allowed` (ascending).
TopItems rank_into_arrays(const ScoreSource& source, const RankingRequest& request,
                          const Executor& executor,
                          std::optional<std::span<const uint32_t>> allowed = std::nullopt);

// Throws Error for a row that does not exist. `what` names the rows.
void check_rows(std::span<const uint32_t> rows, uint32_t count, const char* what);
// Throws Error for a list without places.
void check_places(uint32_t k);

// The nearest other rows of one table.
class NearestRows {
 public:
  // `table` must live as long as the object.
  NearestRows(const VectorTable& table, Similarity measure, const Executor& executor);
  TopItems nearest(std::span<const uint32_t> rows, uint32_t k, const Executor& executor) const;

 private:
  Table units_;  // rows of length 1, for the cosine
  VectorTable vectors_;
  PackedItems packed_;
  // A mask that leaves each row out of its own list.
  std::vector<uint64_t> offsets_;
  std::vector<uint32_t> own_;
};

}  // namespace divns
