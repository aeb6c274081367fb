// SPDX-License-Identifier: Apache-2.0
#include "divns/recommend.h"

#include "base/check.h"
#include "divns/ids.h"
#include "divns/parallel.h"
#include "eval/ranking.h"
#include "recommend/ranked_rows.h"

namespace divns {
namespace {

// Ascending indices of the items that may be recommended; empty if all may.
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
  const Executor executor(threads);
  return NearestRows(table, measure, executor).nearest(rows, k, executor);
}

namespace {

std::vector<Hit> hits_of(const TrainedModel& model, const TopItems& list) {
  std::vector<Hit> hits;
  for (size_t r = 0; r < list.lengths[0]; ++r) {
    const uint32_t item = list.items[r];
    hits.push_back({item, model.item_id(item), model.item_name(item), list.scores[r]});
  }
  return hits;
}

}  // namespace

std::vector<Hit> recommend(const TrainedModel& model, std::string_view user,
                           const RecommendOptions& options) {
  const std::string id(user);
  const std::vector<uint32_t> rows = find_users(model, std::span(&id, 1), "recommend");
  return hits_of(model, recommend(model.user_vectors(), rows, model.item_vectors(), options));
}

std::vector<Hit> similar_items(const TrainedModel& model, std::string_view item, uint32_t k,
                               Similarity measure) {
  const std::string id(item);
  const std::vector<uint32_t> rows = find_items(model, std::span(&id, 1), "similar_items");
  return hits_of(model, similar(model.item_vectors(), rows, k, measure));
}

}  // namespace divns
