// SPDX-License-Identifier: Apache-2.0
#include "divns/recommend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/errors.h"
#include "support/interactions.h"
#include "support/tables.h"
#include "support/worked_example.h"

namespace divns {
namespace {

using testing::OwnedInteractions;

std::vector<uint32_t> list(const TopItems& top, size_t row) {
  const auto items = top.items_of(row);
  return {items.begin(), items.end()};
}

TEST(Recommend, WorkedExample) {
  const OwnedInteractions train({{0, 1}, {2}, {3, 5}}, 6);
  const std::vector<uint32_t> rows = {0, 1, 2};
  const TopItems top = recommend(testing::kExampleUserTable, rows, testing::kExampleItemTable,
                                 {.k = 5, .seen = train.view(), .threads = 2});
  EXPECT_EQ(list(top, 0), (std::vector<uint32_t>{4, 3, 2, 5}));
  EXPECT_EQ(list(top, 1), (std::vector<uint32_t>{1, 0, 3, 5, 4}));
  EXPECT_EQ(list(top, 2), (std::vector<uint32_t>{4, 0, 1, 2}));
  EXPECT_FLOAT_EQ(top.scores_of(0)[0], 1.0F);
  EXPECT_EQ(top.items[4], kNoItem);  // the first list has four items in five places
}

TEST(Recommend, RowsInAnyOrderAndRepeated) {
  const std::vector<uint32_t> rows = {2, 0, 2};
  const TopItems top =
      recommend(testing::kExampleUserTable, rows, testing::kExampleItemTable, {.k = 1});
  EXPECT_EQ(top.items, (std::vector<uint32_t>{5, 4, 5}));
}

TEST(Recommend, AllowAndDeny) {
  const std::vector<uint32_t> rows = {0};
  EXPECT_EQ(list(recommend(testing::kExampleUserTable, rows, testing::kExampleItemTable,
                           {.allowed = std::vector<uint32_t>{5, 3, 1}, .denied = {1}}),
                 0),
            (std::vector<uint32_t>{3, 5}));
  EXPECT_EQ(list(recommend(testing::kExampleUserTable, rows, testing::kExampleItemTable,
                           {.denied = {4, 0}}),
                 0),
            (std::vector<uint32_t>{1, 3, 2, 5}));
  EXPECT_TRUE(list(recommend(testing::kExampleUserTable, rows, testing::kExampleItemTable,
                             {.allowed = std::vector<uint32_t>{}}),
                   0)
                  .empty());
}

TEST(Recommend, RefusesWhatDoesNotExist) {
  const std::vector<uint32_t> rows = {3};
  EXPECT_NE(testing::error_of([&] {
              recommend(testing::kExampleUserTable, rows, testing::kExampleItemTable);
            }).find("no user 3"),
            std::string::npos);
  const std::vector<uint32_t> good = {0};
  EXPECT_NE(testing::error_of([&] {
              recommend(testing::kExampleUserTable, good, testing::kExampleItemTable,
                        {.denied = {6}});
            }).find("no item 6"),
            std::string::npos);
  EXPECT_NE(testing::error_of([&] {
              recommend(testing::kExampleUserTable, good, testing::kExampleItemTable, {.k = 0});
            }).find("k is 0"),
            std::string::npos);
}

TEST(Similar, CosineAndDot) {
  const std::vector<float> rows = {1, 0, 10, 1, 0, 3, 2, 0.1F, 0, 0};
  const VectorTable table = {rows.data(), 5, 2, 2};
  const std::vector<uint32_t> asked = {0, 4};
  const TopItems cosine = similar(table, asked, 3);
  EXPECT_EQ(list(cosine, 0), (std::vector<uint32_t>{3, 1, 2}));
  EXPECT_NEAR(cosine.scores_of(0)[1], 10 / std::sqrt(101.0), 1e-6);
  EXPECT_EQ(list(cosine, 1), (std::vector<uint32_t>{0, 1, 2}));  // a zero row: all at 0
  const TopItems dot = similar(table, asked, 3, Similarity::kDot);
  EXPECT_EQ(list(dot, 0), (std::vector<uint32_t>{1, 3, 2}));
}

// The objective that ridge minimises.
double objective(const VectorTable& items, std::span<const uint32_t> history, const float* u,
                 const FoldInOptions& options) {
  double sum = 0;
  double squares = 0;
  for (uint32_t item = 0; item < items.rows; ++item) {
    double score = 0;
    for (uint32_t k = 0; k < items.dim; ++k) {
      score += static_cast<double>(u[k]) * items.row(item)[k];
      squares += static_cast<double>(items.row(item)[k]) * items.row(item)[k];
    }
    sum += options.unobserved * score * score;
    if (std::binary_search(history.begin(), history.end(), item)) sum += (1 - score) * (1 - score);
  }
  for (uint32_t k = 0; k < items.dim; ++k)
    sum += options.ridge * squares / items.rows * static_cast<double>(u[k]) * u[k];
  return sum;
}

TEST(FoldIn, RidgeMinimisesItsObjective) {
  const Table items = testing::random_table(40, 6, 1);
  const OwnedInteractions histories({{3, 8, 20}}, 40);
  const FoldInOptions options = {.ridge = .3, .unobserved = .05};
  std::vector<float> u = fold_in(items.view(), histories.view(), options);
  const double least = objective(items.view(), histories.view().row(0), u.data(), options);
  for (float& value : u) {
    for (const float step : {-1e-2F, 1e-2F}) {
      value += step;
      EXPECT_GT(objective(items.view(), histories.view().row(0), u.data(), options), least);
      value -= step;
    }
  }
}

TEST(FoldIn, BothMethodsPutTheHistoryFirst) {
  // Three clusters of items; a history from one of them should bring the rest of it to the top.
  Table items(30, 8);
  const Table noise = testing::random_table(30, 8, 2);
  for (uint32_t i = 0; i < 30; ++i)
    for (uint32_t k = 0; k < 8; ++k)
      items.row(i)[k] = (k == i % 3 ? 1.0F : 0.0F) + 0.1F * noise.row(i)[k];
  const OwnedInteractions histories({{1, 4, 7}, {}, {0, 3}}, 30);
  for (const auto method : {FoldInOptions::Method::kRidge, FoldInOptions::Method::kGradient}) {
    const std::vector<float> users = fold_in(items.view(), histories.view(), {.method = method});
    ASSERT_EQ(users.size(), 3U * 8);
    for (uint32_t k = 0; k < 8; ++k) EXPECT_EQ(users[8 + k], 0);  // no history
    const std::vector<uint32_t> rows = {0, 2};
    const TopItems top =
        recommend({users.data(), 3, 8, 8}, rows, items.view(), {.k = 7, .seen = histories.view()});
    for (const uint32_t item : top.items_of(0)) EXPECT_EQ(item % 3, 1U);
    for (const uint32_t item : top.items_of(1)) EXPECT_EQ(item % 3, 0U);
  }
}

TEST(FoldIn, RidgeDoesNotCareAboutTheScaleOfTheVectors) {
  const Table items = testing::random_table(40, 6, 6);
  Table longer(40, 6);
  for (size_t i = 0; i < items.size(); ++i) longer.data()[i] = 4 * items.data()[i];
  const OwnedInteractions histories({{3, 8, 20}}, 40);
  const std::vector<float> a = fold_in(items.view(), histories.view());
  const std::vector<float> b = fold_in(longer.view(), histories.view());
  for (size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], 4 * b[k], 1e-6);
}

TEST(FoldIn, SameBitsForAnyThreads) {
  const Table items = testing::random_table(5000, 16, 3);
  const OwnedInteractions histories = testing::random_interactions(60, 5000, 10, 4);
  for (const auto method : {FoldInOptions::Method::kRidge, FoldInOptions::Method::kGradient}) {
    const auto one =
        fold_in(items.view(), histories.view(), {.method = method, .steps = 3, .threads = 1});
    for (const int threads : {2, 7})
      EXPECT_EQ(fold_in(items.view(), histories.view(),
                        {.method = method, .steps = 3, .threads = threads}),
                one);
  }
}

TEST(FoldIn, AUserWhoOwnsEverything) {
  const Table items = testing::random_table(5, 4, 5);
  const OwnedInteractions histories({{0, 1, 2, 3, 4}}, 5);
  const auto u =
      fold_in(items.view(), histories.view(), {.method = FoldInOptions::Method::kGradient});
  for (const float value : u) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace divns
