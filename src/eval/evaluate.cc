// SPDX-License-Identifier: Apache-2.0
#include "divns/evaluate.h"

#include <algorithm>

#include "base/check.h"
#include "eval/groups.h"
#include "eval/metrics.h"
#include "eval/ranking.h"
#include "eval/score_ranking.h"

namespace divns {
namespace {

// How often each item was recommended, and was a hit, per cut-off. Integers, so the sum over
// threads does not depend on who counted what.
struct ItemTally {
  std::vector<uint32_t> recommended;  // cutoffs x items
  std::vector<uint32_t> hits;

  void resize(size_t size) {
    recommended.assign(size, 0);
    hits.assign(size, 0);
  }
  void add(const ItemTally& other) {
    for (size_t i = 0; i < other.recommended.size(); ++i) {
      recommended[i] += other.recommended[i];
      hits[i] += other.hits[i];
    }
  }
};

struct Worker {
  std::vector<double> row;
  std::vector<uint32_t> hit_ranks;
  std::vector<uint8_t> is_relevant;  // per item, for the current user
  ItemTally tally;
};

std::vector<uint32_t> ascending_cutoffs(std::vector<uint32_t> cutoffs) {
  std::sort(cutoffs.begin(), cutoffs.end());
  cutoffs.erase(std::unique(cutoffs.begin(), cutoffs.end()), cutoffs.end());
  // Each costs a pass over every list and a row of every table.
  constexpr size_t kMostCutoffs = 100;
  if (cutoffs.size() > kMostCutoffs)
    fail("{} cut-offs were given; at most {} are possible.", cutoffs.size(), kMostCutoffs);
  if (cutoffs.empty() || cutoffs.front() == 0)
    fail("The list of cut-offs needs at least one number, each at least 1, for example 10,20.");
  return cutoffs;
}

void check_shapes(const EvaluationRequest& request) {
  const uint32_t users = request.scores ? request.scores->users() : request.users.rows;
  const uint32_t items = request.scores ? request.scores->items() : request.items.rows;
  const auto check = [&](const Interactions& part, const char* name) {
    if (part.users() != users || part.item_count != items)
      fail(
          "The model has {} users and {} items, but the {} part of the dataset has {} and {}: they "
          "do not belong together.",
          users, items, name, part.users(), part.item_count);
  };
  check(request.train, "train");
  check(request.relevant, "evaluated");
  if (request.also_masked) check(*request.also_masked, "masked");
  if (request.users.dim != request.items.dim)
    fail("User vectors have {} columns and item vectors {}: they do not belong together.",
         request.users.dim, request.items.dim);
}

std::vector<uint32_t> users_with_pairs(const Interactions& part) {
  std::vector<uint32_t> users;
  for (uint32_t user = 0; user < part.users(); ++user)
    if (!part.row(user).empty()) users.push_back(user);
  return users;
}

void tally_list(const ListMetrics& metrics, std::span<const ScoredItem> list, size_t items,
                Worker& worker) {
  for (size_t c = 0; c < metrics.cutoffs().size(); ++c) {
    const size_t length = std::min<size_t>(metrics.cutoffs()[c], list.size());
    for (size_t r = 0; r < length; ++r) ++worker.tally.recommended[c * items + list[r].item];
    for (const uint32_t rank : worker.hit_ranks)
      if (rank < length) ++worker.tally.hits[c * items + list[rank].item];
  }
}

double mean_of(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void group_users(const EvaluationRequest& request, Evaluation& result) {
  const std::vector<uint32_t>& users = result.per_user.users;
  std::vector<uint32_t> activity;
  activity.reserve(users.size());
  for (const uint32_t user : users)
    activity.push_back(static_cast<uint32_t>(request.train.row(user).size()));
  const std::vector<uint8_t> groups = quarters(activity, false);
  const auto ranges = quarter_ranges(activity, groups);
  const size_t columns = result.per_user.columns.size();
  for (size_t g = 0; g < kQuarters; ++g)
    result.by_activity[g] = {ranges[g], std::vector<double>(columns, 0)};
  for (size_t c = 0; c < columns; ++c) {
    const std::span<const float> values = result.per_user.column(c);
    for (size_t n = 0; n < users.size(); ++n) result.by_activity[groups[n]].means[c] += values[n];
  }
  for (UserGroupResult& group : result.by_activity)
    for (double& mean : group.means) mean /= std::max(group.activity.members, 1U);
}

void group_items(const EvaluationRequest& request, std::span<const uint32_t> counts,
                 const ItemTally& tally, Evaluation& result) {
  const size_t items = counts.size();
  const std::vector<uint8_t> groups = quarters(counts, true);
  const auto ranges = quarter_ranges(counts, groups);
  for (size_t g = 0; g < kQuarters; ++g) {
    result.by_popularity[g].popularity = ranges[g];
    result.by_popularity[g].at.resize(result.cutoffs.size());
  }
  for (const uint32_t item : request.relevant.items) ++result.by_popularity[groups[item]].relevant;
  for (size_t c = 0; c < result.cutoffs.size(); ++c) {
    double places = 0;
    for (size_t i = 0; i < items; ++i) {
      ItemGroupResult::AtCutoff& at = result.by_popularity[groups[i]].at[c];
      places += tally.recommended[c * items + i];
      at.share += tally.recommended[c * items + i];
      at.recall += tally.hits[c * items + i];
    }
    for (ItemGroupResult& group : result.by_popularity) {
      group.at[c].share /= std::max(places, 1.0);
      group.at[c].recall /= static_cast<double>(std::max<uint64_t>(group.relevant, 1));
    }
  }
}

}  // namespace

size_t Evaluation::column(std::string_view name) const {
  const auto& columns = per_user.columns;
  const auto at = std::find(columns.begin(), columns.end(), name);
  if (at == columns.end())
    fail("'{}' was not measured; these were: {}.", name, fmt::join(columns, ", "));
  return static_cast<size_t>(at - columns.begin());
}

double Evaluation::mean(std::string_view name) const {
  return means[column(name)];
}

Evaluation evaluate(const EvaluationRequest& request, const Executor& executor) {
  check_shapes(request);
  const ListMetrics measured(ascending_cutoffs(request.cutoffs));
  const size_t items = request.train.item_count;

  Evaluation result;
  result.cutoffs = measured.cutoffs();
  PerUserMetrics& per_user = result.per_user;
  per_user.columns = measured.column_names();
  per_user.users = users_with_pairs(request.relevant);
  per_user.values.resize(measured.columns() * per_user.users.size());

  std::vector<Worker> workers(static_cast<size_t>(executor.threads()));
  for (Worker& worker : workers) {
    worker.row.resize(measured.columns());
    worker.is_relevant.resize(items);
    if (request.details) worker.tally.resize(measured.cutoffs().size() * items);
  }
  std::vector<Interactions> masks = {request.train};
  if (request.also_masked) masks.push_back(*request.also_masked);

  const auto measure = [&](int id, size_t n, std::span<const ScoredItem> list) {
    Worker& worker = workers[static_cast<size_t>(id)];
    const auto relevant = request.relevant.row(per_user.users[n]);
    for (const uint32_t item : relevant) worker.is_relevant[item] = 1;
    measured.measure(list, worker.is_relevant, relevant.size(), worker.row, worker.hit_ranks);
    for (const uint32_t item : relevant) worker.is_relevant[item] = 0;
    for (size_t c = 0; c < worker.row.size(); ++c)
      per_user.values[c * per_user.users.size() + n] = static_cast<float>(worker.row[c]);
    if (request.details) tally_list(measured, list, items, worker);
  };
  const RankingRequest ranking = {
      .users = request.users,
      .rows = per_user.users,
      .masks = masks,
      .k = std::clamp<uint32_t>(measured.longest(), 1, std::max(request.train.item_count, 1U)),
      .tiles = request.block_tiles};
  if (request.scores)
    rank_by_scores(*request.scores, ranking, executor, measure);
  else
    PackedItems(request.items, executor).rank(ranking, executor, measure);

  for (size_t c = 0; c < measured.columns(); ++c)
    result.means.push_back(mean_of(per_user.column(c)));
  if (request.details) {
    ItemTally tally = std::move(workers[0].tally);
    for (size_t w = 1; w < workers.size(); ++w) tally.add(workers[w].tally);
    const std::vector<uint32_t> counts = item_counts(request.train);
    for (size_t c = 0; c < measured.cutoffs().size(); ++c)
      result.exposure.push_back(measure_exposure(
          std::span(tally.recommended).subspan(c * items, items), counts, request.train.users()));
    group_users(request, result);
    group_items(request, counts, tally, result);
  }
  return result;
}

}  // namespace divns
