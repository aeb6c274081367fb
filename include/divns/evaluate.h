// SPDX-License-Identifier: Apache-2.0
// Full-ranking evaluation: all items are ranked for every user who has a relevant item.
//
//   const divns::Evaluation result = divns::evaluate(run.model(), data);
//   std::cout << result.mean("recall@20");
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divns/dataset.h"
#include "divns/exposure.h"
#include "divns/interactions.h"
#include "divns/metric.h"
#include "divns/model.h"
#include "divns/parallel.h"
#include "divns/scores.h"
#include "divns/vectors.h"

namespace divns {

class Options;

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

// One value per user and column. A column is one array, as a paired test needs it.
struct PerUserMetrics {
  std::vector<std::string> columns;  // "recall@20", ...
  std::vector<uint32_t> users;       // ascending
  std::vector<float> values;         // columns x users

  std::span<const float> column(size_t c) const {
    return std::span(values).subspan(c * users.size(), users.size());
  }
};

inline constexpr size_t kQuarters = 4;

// Smallest and largest count of a group; 0, 0 for an empty one.
struct CountRange {
  uint32_t low = 0;
  uint32_t high = 0;
  uint32_t members = 0;
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
  // The mean of a column, as in "recall@20". Throws Error if it was not measured.
  double mean(std::string_view column) const;
  // Position of a column in `means` and `per_user`.
  size_t column(std::string_view name) const;
};

Evaluation evaluate(const EvaluationRequest& request, const Executor& executor = Executor());

struct EvaluateOptions {
  std::string part = "test";   // or "valid"
  std::string mask = "train";  // items that are not ranked: of "train" or of "train+valid"
  std::vector<int> topk = {10, 20, 50};
  int threads = 0;  // 0: one per core

  void declare(Options& options);
};

// Evaluates a trained model on a part of its dataset, with exposure and groups. The part "test"
// opens the test part.
Evaluation evaluate(const TrainedModel& model, const Dataset& data,
                    const EvaluateOptions& options = {});

// A description of an evaluation, for its files.
struct EvaluationAbout {
  std::string run;
  std::string dataset_hash;
  std::string part;  // "valid" or "test"
  std::string mask;  // "train" or "train+valid"
  double seconds = 0;
};

// As tables for a terminal, and as a JSON document.
std::string evaluation_text(const Evaluation& evaluation);
std::string evaluation_json(const EvaluationAbout& about, const Evaluation& evaluation);
// metrics_PART.json and per_user_PART.safetensors.
void write_evaluation(const std::filesystem::path& folder, const EvaluationAbout& about,
                      const Evaluation& evaluation);

}  // namespace divns
