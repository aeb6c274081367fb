// SPDX-License-Identifier: Apache-2.0
// Full-ranking evaluation: every item is ranked for every user who has a relevant item.
//
//   const Evaluation result = evaluate({.users = model.user_vectors(), .items =
//   model.item_vectors(),
//                                       .train = data.train(), .relevant = data.valid()},
//                                      executor);
//   result.mean(Metric::kRecall, 20);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "divns/interactions.h"
#include "divns/vectors.h"
#include "eval/exposure.h"
#include "eval/groups.h"
#include "eval/metrics.h"
#include "models/score_source.h"

namespace divns {

struct EvaluationRequest {
  VectorTable users;
  VectorTable items;
  Interactions train;                            // masked, and what counts are taken from
  Interactions relevant;                         // the evaluated part
  std::optional<Interactions> also_masked = {};  // `train+valid`
  std::vector<uint32_t> cutoffs = {20};          // in any order
  bool details = false;                          // exposure and groups as well
  uint32_t block_tiles = 8;                      // see RankingRequest; never changes the result
  const ScoreSource* scores = nullptr;           // instead of users and items
};

// One value a user and column, in columns, so that a column is an array for a paired test.
struct PerUserMetrics {
  std::vector<std::string> columns;  // "recall@20", ...
  std::vector<uint32_t> users;       // ascending
  std::vector<float> values;         // columns x users

  std::span<const float> column(size_t c) const {
    return std::span(values).subspan(c * users.size(), users.size());
  }
};

struct UserGroupResult {
  CountRange activity;        // train pairs; members are users
  std::vector<double> means;  // by column
};

struct ItemGroupResult {
  CountRange popularity;  // train pairs; members are items
  uint64_t relevant = 0;  // evaluated pairs whose item is of this group
  struct AtCutoff {
    double recall = 0;  // share of those pairs found in the lists
    double share = 0;   // share of the places of all lists that such items take
  };
  std::vector<AtCutoff> at;  // by cut-off
};

struct Evaluation {
  std::vector<uint32_t> cutoffs;  // ascending
  PerUserMetrics per_user;
  std::vector<double> means;  // by column: mean over the evaluated users of what per_user holds

  // With `details`:
  std::vector<Exposure> exposure;  // by cut-off
  std::array<UserGroupResult, kQuarters> by_activity;
  std::array<ItemGroupResult, kQuarters> by_popularity;

  uint32_t evaluated_users() const { return static_cast<uint32_t>(per_user.users.size()); }
  // The cut-off must be one of `cutoffs`.
  double mean(Metric metric, uint32_t cutoff) const;
};

Evaluation evaluate(const EvaluationRequest& request, const Executor& executor);

}  // namespace divns
