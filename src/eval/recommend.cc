// SPDX-License-Identifier: Apache-2.0
#include "divns/recommend.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "base/parallel.h"
#include "base/table.h"
#include "eval/ranking.h"

namespace divns {
namespace {

TopItems rank_into_arrays(const PackedItems& packed, const RankingRequest& request,
                          const Executor& executor) {
  TopItems top;
  top.k = request.k;
  top.items.assign(request.rows.size() * top.k, kNoItem);
  top.scores.assign(top.items.size(), 0.0F);
  top.lengths.resize(request.rows.size());
  packed.rank(request, executor, [&](int, size_t n, std::span<const ScoredItem> list) {
    top.lengths[n] = static_cast<uint32_t>(list.size());
    for (size_t r = 0; r < list.size(); ++r) {
      top.items[n * top.k + r] = list[r].item;
      top.scores[n * top.k + r] = list[r].score;
    }
  });
  return top;
}

void check_rows(std::span<const uint32_t> rows, uint32_t count, const char* what) {
  for (const uint32_t row : rows)
    if (row >= count)
      fail("There is no {} {}: they are numbered from 0 to {}.", what, row, count - 1);
}

// Ascending numbers of the items that may be recommended, or nothing if all may.
std::optional<std::vector<uint32_t>> candidates(const RecommendOptions& options, uint32_t items) {
  if (!options.allowed && options.denied.empty()) return std::nullopt;
  check_rows(options.denied, items, "item");
  std::vector<uint8_t> may(items, options.allowed ? 0 : 1);
  if (options.allowed) {
    check_rows(*options.allowed, items, "item");
    for (const uint32_t item : *options.allowed) may[item] = 1;
  }
  for (const uint32_t item : options.denied) may[item] = 0;
  std::vector<uint32_t> ids;
  for (uint32_t item = 0; item < items; ++item)
    if (may[item] != 0) ids.push_back(item);
  return ids;
}

Table unit_rows(const VectorTable& table, const Executor& executor) {
  Table units(table.rows, table.dim);
  executor.for_chunks(table.rows, 1024, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const float* row = table.row(static_cast<uint32_t>(i));
      double square = 0;
      for (uint32_t k = 0; k < table.dim; ++k) square += static_cast<double>(row[k]) * row[k];
      if (square == 0) continue;
      const double scale = 1 / std::sqrt(square);
      for (uint32_t k = 0; k < table.dim; ++k) units.row(i)[k] = static_cast<float>(scale * row[k]);
    }
  });
  return units;
}

}  // namespace

TopItems recommend(const VectorTable& users, std::span<const uint32_t> rows,
                   const VectorTable& items, const RecommendOptions& options) {
  if (options.k == 0) fail("A list needs at least 1 place; k is 0.");
  if (users.dim != items.dim)
    fail("User vectors have {} columns and item vectors {}: they do not belong together.",
         users.dim, items.dim);
  check_rows(rows, users.rows, "user");
  std::vector<Interactions> masks;
  if (options.seen) {
    if (options.seen->users() != users.rows || options.seen->item_count != items.rows)
      fail(
          "The pairs already seen are for {} users and {} items, but there are vectors for {} and "
          "{}.",
          options.seen->users(), options.seen->item_count, users.rows, items.rows);
    masks.push_back(*options.seen);
  }
  const Executor executor(options.threads);
  const PackedItems packed(items, executor, candidates(options, items.rows));
  return rank_into_arrays(packed, {.users = users, .rows = rows, .masks = masks, .k = options.k},
                          executor);
}

TopItems similar(const VectorTable& table, std::span<const uint32_t> rows, uint32_t k,
                 Similarity measure, int threads) {
  if (k == 0) fail("A list needs at least 1 place; k is 0.");
  check_rows(rows, table.rows, "row");
  const Executor executor(threads);
  Table units;
  if (measure == Similarity::kCosine) units = unit_rows(table, executor);
  const VectorTable& vectors = measure == Similarity::kCosine ? units.view() : table;
  // A row is masked from its own list.
  std::vector<uint64_t> offsets(size_t{table.rows} + 1);
  std::iota(offsets.begin(), offsets.end(), uint64_t{0});
  std::vector<uint32_t> own(table.rows);
  std::iota(own.begin(), own.end(), 0U);
  const std::vector<Interactions> masks = {{offsets, own, table.rows}};
  const PackedItems packed(vectors, executor);
  return rank_into_arrays(packed, {.users = vectors, .rows = rows, .masks = masks, .k = k},
                          executor);
}

}  // namespace divns
