// SPDX-License-Identifier: Apache-2.0
// EASE, a model of item-item weights, through the public headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "api/small_dataset.h"
#include "divns/divns.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::small_dataset;

const TrainedModel& ease() {
  static const divns::Run run = train(small_dataset(), {.model = "ease"});
  return run.model();
}

std::vector<uint32_t> all_users() {
  std::vector<uint32_t> rows(ease().users());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// X B, by the definition.
std::vector<double> scores_of(std::span<const uint32_t> history) {
  std::vector<double> scores(ease().items(), 0.0);
  for (const uint32_t i : history)
    for (uint32_t j = 0; j < scores.size(); ++j) scores[j] += ease().item_weights().row(i)[j];
  return scores;
}

TEST(ItemWeights, AnEvaluationOfTheModelIsThatOfTheBaselineInAComparison) {
  const testing::TempFolder folder;
  CompareOptions options;
  options.out = folder.file("study");
  options.samplers = "rns";
  options.baselines = {"ease"};
  options.seeds = 1;
  options.settings = {{"epochs", "1"}};
  const ComparisonResult study = compare(small_dataset(), options);
  const Evaluation own = evaluate(ease(), small_dataset());
  const auto row = std::ranges::find(study.rows, std::string("ease"), &ComparedRow::label);
  ASSERT_NE(row, study.rows.end());
  for (size_t c = 0; c < study.columns.size(); ++c)
    EXPECT_EQ(row->mean[c], own.mean(study.columns[c])) << study.columns[c];
}

TEST(ItemWeights, RecommendsWithoutADataset) {
  const Interactions histories = ease().histories();
  const TopItems lists = recommend(ease().scorer(), all_users(), {.k = 8, .seen = histories});
  for (const uint32_t user : {0U, 17U, 119U}) {
    std::vector<double> scores = scores_of(histories.row(user));
    for (const uint32_t item : histories.row(user)) scores[item] = -1e9;
    for (const uint32_t item : lists.items_of(user)) {
      EXPECT_NEAR(scores[item], *std::ranges::max_element(scores), 1e-6);
      scores[item] = -1e9;
    }
  }
}

TEST(ItemWeights, NewUsersAreRankedByTheirItems) {
  const std::vector<uint64_t> offsets = {0, 3, 3};
  const std::vector<uint32_t> items = {2, 30, 61};
  const Interactions histories = {offsets, items, ease().items()};
  const UserProfiles profiles = fold_in(ease(), histories);
  const TopItems lists = recommend(ease(), profiles, {.k = 5, .seen = histories, .denied = {7, 8}});
  const std::vector<double> scores = scores_of(histories.row(0));
  for (size_t r = 0; r < 5; ++r) {
    EXPECT_NEAR(lists.scores_of(0)[r], scores[lists.items_of(0)[r]], 1e-6);
    EXPECT_EQ(lists.scores_of(1)[r], 0);  // no history
  }
  const Recommender recommender(ease());
  const TopItems same = recommender.recommend(recommender.fold_in(histories), histories, 5);
  EXPECT_EQ(same.items, recommend(ease(), profiles, {.k = 5, .seen = histories}).items);
  const UserProfiles known = recommender.profile(17);
  const std::vector<uint32_t> row = {17};
  const std::vector<uint64_t> none = {0, 0};
  EXPECT_EQ(recommender.recommend(known, {none, {}, ease().items()}, 6).items,
            recommend(ease().scorer(), row, {.k = 6}).items);
}

TEST(ItemWeights, ProfilesOfAnotherModelAreRefused) {
  const uint32_t beyond = ease().items();
  EXPECT_ERROR(recommend(ease(), UserProfiles{.users = 1, .offsets = {0, 1}, .items = {beyond}}),
               "items that the model does not have");
  EXPECT_ERROR(recommend(ease(), UserProfiles{.users = 1, .offsets = {0, 2}, .items = {0}}),
               "items that the model does not have");
}

TEST(ItemWeights, SimilarItemsByColumnOrByCorrelation) {
  const VectorTable b = ease().item_weights();
  const std::vector<uint32_t> asked = {5, 40};
  const TopItems dot = similar_items(ease(), asked, 4, Similarity::kDot);
  const TopItems cosine = similar_items(ease(), asked, 4, Similarity::kCosine);
  for (size_t n = 0; n < asked.size(); ++n) {
    const uint32_t i = asked[n];
    for (size_t r = 0; r < 4; ++r) {
      EXPECT_EQ(dot.scores_of(n)[r], b.row(dot.items_of(n)[r])[i]);
      const uint32_t j = cosine.items_of(n)[r];
      EXPECT_NEAR(cosine.scores_of(n)[r], std::sqrt(b.row(i)[j] * b.row(j)[i]), 1e-6);
      EXPECT_NE(j, i);
    }
    uint32_t better = 0;
    for (uint32_t j = 0; j < b.rows; ++j) better += b.row(j)[i] > dot.scores_of(n)[3] ? 1U : 0U;
    EXPECT_LE(better, 3U);
  }
  EXPECT_EQ(Recommender(ease()).similar(asked, 4).items, cosine.items);
}

TEST(ItemWeights, WhatNeedsVectorsIsRefused) {
  const testing::TempFolder folder;
  EXPECT_ERROR(export_vectors(ease(), folder.path() / "npy"), "has no vectors");
  EXPECT_ERROR(export_vectors(ease(), folder.path() / "onnx", {.format = ExportFormat::kOnnx}),
               "has no vectors");
  EXPECT_ERROR(export_index(ease(), folder.path() / "index"), "has no vectors");
  export_vectors(ease(), folder.path() / "copy", {.format = ExportFormat::kSafetensors});
  EXPECT_EQ(TrainedModel::load(folder.path() / "copy").model_name(), "ease");
  const TrainOptions again = {.model = "ease", .initial_model = &ease()};
  EXPECT_ERROR(train(small_dataset(), again), "fitted to all pairs at once");
}

}  // namespace
}  // namespace divns
