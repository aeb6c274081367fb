// SPDX-License-Identifier: Apache-2.0
#include "divns/recommend.h"

#include "base/check.h"
#include "divns/ids.h"
#include "divns/parallel.h"
#include "eval/ranking.h"
#include "recommend/item_neighbours.h"
#include "recommend/profiles.h"
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

TopItems recommend(const Scorer& scorer, std::span<const uint32_t> rows,
                   const RecommendOptions& options) {
  check_places(options.k);
  if (scorer.users.dim != scorer.items.dim)
    fail("User vectors have {} columns and item vectors {}: they do not belong together.",
         scorer.users.dim, scorer.items.dim);
  const uint32_t users = scorer.has_vectors() ? scorer.users.rows : scorer.source->users();
  const uint32_t items = scorer.has_vectors() ? scorer.items.rows : scorer.source->items();
  check_rows(rows, users, "user");
  std::vector<Interactions> masks;
  if (options.seen) {
    if (options.seen->users() != users || options.seen->item_count != items)
      fail("The pairs already seen are for {} users and {} items, but the model has {} and {}.",
           options.seen->users(), options.seen->item_count, users, items);
    masks.push_back(*options.seen);
  }
  const Executor executor(options.threads);
  const std::optional<std::vector<uint32_t>> allowed = candidates(options, items);
  const RankingRequest request = {
      .users = scorer.users, .rows = rows, .masks = masks, .k = options.k};
  return scorer.has_vectors()
             ? rank_into_arrays(PackedItems(scorer.items, executor, allowed), request, executor)
             : rank_into_arrays(*scorer.source, request, executor, allowed);
}

TopItems recommend(const VectorTable& users, std::span<const uint32_t> rows,
                   const VectorTable& items, const RecommendOptions& options) {
  return recommend(Scorer{users, items}, rows, options);
}

TopItems recommend(const TrainedModel& model, const UserProfiles& users,
                   const RecommendOptions& options) {
  const ProfileScorer profiles(model.scorer().items, model.item_weights(), users);
  return recommend(profiles.scorer(), profiles.rows(), options);
}

TopItems similar(const VectorTable& table, std::span<const uint32_t> rows, uint32_t k,
                 Similarity measure, int threads) {
  const Executor executor(threads);
  return NearestRows(table, measure, executor).nearest(rows, k, executor);
}

TopItems similar_by_weights(const VectorTable& weights, std::span<const uint32_t> rows, uint32_t k,
                            Similarity measure, int threads) {
  if (weights.rows != weights.dim)
    fail("Item-item weights are a square matrix, but these are {} x {}.", weights.rows,
         weights.dim);
  return nearest_by_weights(weights, rows, k, measure, Executor(threads));
}

TopItems similar_items(const TrainedModel& model, std::span<const uint32_t> items, uint32_t k,
                       Similarity measure, int threads) {
  return model.has_vectors() ? similar(model.item_vectors(), items, k, measure, threads)
                             : similar_by_weights(model.item_weights(), items, k, measure, threads);
}

UserProfiles fold_in(const TrainedModel& model, const Interactions& histories,
                     const FoldInOptions& options) {
  if (!model.has_vectors()) return profiles_of_histories(histories, model.items());
  return {.users = histories.users(), .vectors = fold_in(model.item_vectors(), histories, options)};
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
  return hits_of(model, recommend(model.scorer(), rows, options));
}

std::vector<Hit> similar_items(const TrainedModel& model, std::string_view item, uint32_t k,
                               Similarity measure) {
  const std::string id(item);
  const std::vector<uint32_t> rows = find_items(model, std::span(&id, 1), "similar_items");
  return hits_of(model, similar_items(model, rows, k, measure));
}

}  // namespace divns
