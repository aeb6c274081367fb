// SPDX-License-Identifier: Apache-2.0
#include "eval/score_ranking.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "divns/evaluate.h"
#include "divns/random.h"
#include "support/errors.h"
#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

// Scores that are inner products after all, so that both ways of ranking can be compared. Small
// whole numbers: exact, with many ties.
class Products final : public ScoreSource {
 public:
  Products(uint32_t users, uint32_t items, uint32_t dim) : users_(users, dim), items_(items, dim) {
    Draws draws = Random(1, "products").draws();
    for (Table* table : {&users_, &items_})
      for (uint32_t r = 0; r < table->rows(); ++r)
        for (uint32_t k = 0; k < dim; ++k)
          table->row(r)[k] = static_cast<float>(draws.below(5)) - 2;
  }
  uint32_t users() const override { return users_.rows(); }
  uint32_t items() const override { return items_.rows(); }
  void score(std::span<const uint32_t> users, Table& scores) const override {
    for (size_t n = 0; n < users.size(); ++n)
      for (uint32_t i = 0; i < items(); ++i) {
        scores.row(n)[i] = 0;
        for (uint32_t k = 0; k < users_.dim(); ++k)
          scores.row(n)[i] += users_.row(users[n])[k] * items_.row(i)[k];
      }
  }
  VectorTable user_vectors() const { return users_.view(); }
  VectorTable item_vectors() const { return items_.view(); }

 private:
  Table users_;
  Table items_;
};

TEST(ScoreRanking, EqualsTheRankingByVectors) {
  for (const uint32_t items : {5U, 333U, 2000U}) {
    const Products products(50, items, 6);
    const OwnedInteractions seen = random_interactions(50, items, 4, 2);
    const OwnedInteractions hidden = random_interactions(50, items, 3, 3);
    const std::vector<Interactions> masks = {seen.view(), hidden.view()};
    std::vector<uint32_t> rows = {49, 3, 3};
    for (uint32_t u = 0; u < 40; ++u) rows.push_back(u);
    for (const uint32_t k : {1U, 20U, 100U}) {
      const RankingRequest request = {
          .users = products.user_vectors(), .rows = rows, .masks = masks, .k = k};
      const Executor executor(3);
      std::vector<std::vector<ScoredItem>> found(rows.size());
      std::vector<std::vector<ScoredItem>> expected(rows.size());
      rank_by_scores(products, request, executor,
                     [&](int, size_t n, std::span<const ScoredItem> list) {
                       found[n].assign(list.begin(), list.end());
                     });
      PackedItems(products.item_vectors(), executor)
          .rank(request, executor, [&](int, size_t n, std::span<const ScoredItem> list) {
            expected[n].assign(list.begin(), list.end());
          });
      EXPECT_EQ(found, expected) << items << " items, best " << k;
    }
  }
}

TEST(ScoreRanking, RanksSomeItemsOnly) {
  const Products products(20, 400, 6);
  const OwnedInteractions seen = random_interactions(20, 400, 9, 5);
  const std::vector<Interactions> masks = {seen.view()};
  const std::vector<uint32_t> rows = {3, 19, 0};
  const std::vector<uint32_t> allowed = {0, 2, 3, 50, 51, 52, 53, 54, 120, 121, 200, 398, 399};
  const RankingRequest request = {
      .users = products.user_vectors(), .rows = rows, .masks = masks, .k = 9};
  const Executor executor(2);
  std::vector<std::vector<ScoredItem>> found(rows.size());
  rank_by_scores(
      products, request, executor,
      [&](int, size_t n, std::span<const ScoredItem> list) {
        found[n].assign(list.begin(), list.end());
      },
      allowed);
  PackedItems(products.item_vectors(), executor, allowed)
      .rank(request, executor, [&](int, size_t n, std::span<const ScoredItem> list) {
        EXPECT_EQ(found[n], std::vector<ScoredItem>(list.begin(), list.end())) << n;
      });
}

TEST(ScoreRanking, NeverRanksWhatIsNoNumber) {
  class Odd final : public ScoreSource {
   public:
    uint32_t users() const override { return 1; }
    uint32_t items() const override { return 4; }
    void score(std::span<const uint32_t> /*users*/, Table& scores) const override {
      constexpr float kValues[] = {std::numeric_limits<float>::quiet_NaN(), 1,
                                   -std::numeric_limits<float>::infinity(), 2};
      std::copy(std::begin(kValues), std::end(kValues), scores.row(0));
    }
  };
  const std::vector<uint32_t> rows = {0};
  const Executor executor(1);
  rank_by_scores(Odd(), {.users = {}, .rows = rows, .masks = {}, .k = 4}, executor,
                 [](int, size_t, std::span<const ScoredItem> list) {
                   ASSERT_EQ(list.size(), 2U);
                   EXPECT_EQ(list[0], (ScoredItem{3, 2}));
                   EXPECT_EQ(list[1], (ScoredItem{1, 1}));
                 });
}

TEST(ScoreRanking, EvaluatesLikeVectors) {
  const Products products(60, 150, 5);
  const OwnedInteractions train = random_interactions(60, 150, 6, 4);
  const OwnedInteractions relevant = random_interactions(60, 150, 5, 5);
  EvaluationRequest request = {.users = products.user_vectors(),
                               .items = products.item_vectors(),
                               .train = train.view(),
                               .relevant = relevant.view(),
                               .cutoffs = {5, 20},
                               .details = true};
  const Evaluation by_vectors = evaluate(request, Executor(2));
  request.users = request.items = {};
  request.scores = &products;
  const Evaluation by_scores = evaluate(request, Executor(2));
  EXPECT_GT(by_scores.mean("recall@20"), 0);
  EXPECT_EQ(by_scores.per_user.values, by_vectors.per_user.values);
  EXPECT_EQ(by_scores.means, by_vectors.means);
  EXPECT_EQ(by_scores.exposure[1].coverage, by_vectors.exposure[1].coverage);

  const OwnedInteractions other = random_interactions(60, 151, 6, 4);
  request.train = other.view();
  EXPECT_ERROR(evaluate(request, Executor(1)), "do not belong together");
}

}  // namespace
}  // namespace divns
