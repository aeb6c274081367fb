// SPDX-License-Identifier: Apache-2.0
#include "eval/ranking.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

struct RankedTable {
  RankedTable(uint32_t rows, uint32_t dim, uint64_t seed, bool ties)
      : view{nullptr, rows, dim, dim + 3} {
    Draws draws = Random(seed, "table").draws();
    values.resize(size_t{rows} * view.stride, 0.0F);
    for (uint32_t r = 0; r < rows; ++r)
      for (uint32_t k = 0; k < dim; ++k)
        values[size_t{r} * view.stride + k] =
            ties ? static_cast<float>(draws.below(3)) - 1 : static_cast<float>(draws.normal());
    view.data = values.data();
  }
  RankedTable(const RankedTable&) = delete;
  std::vector<float> values;
  VectorTable view;
};

// Slow and readable: score all, sort all.
std::vector<ScoredItem> reference_ranking(const VectorTable& users, const VectorTable& items,
                                          uint32_t user, const std::set<uint32_t>& masked,
                                          uint32_t k) {
  std::vector<ScoredItem> all;
  for (uint32_t item = 0; item < items.rows; ++item)
    if (masked.count(item) == 0)
      all.push_back({item, reference::score(users.row(user), items.row(item), items.dim)});
  std::sort(all.begin(), all.end(), [](const ScoredItem& a, const ScoredItem& b) {
    return a.score != b.score ? a.score > b.score : a.item < b.item;
  });
  if (all.size() > k) all.resize(k);
  return all;
}

std::vector<std::vector<ScoredItem>> rank_all(const VectorTable& users, const VectorTable& items,
                                              std::span<const Interactions> masks, uint32_t k,
                                              int threads, uint32_t tiles) {
  const Executor executor(threads);
  std::vector<uint32_t> rows(users.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<std::vector<ScoredItem>> lists(users.rows);
  PackedItems(items, executor)
      .rank({.users = users, .rows = rows, .masks = masks, .k = k, .tiles = tiles}, executor,
            [&](int, size_t n, std::span<const ScoredItem> list) {
              lists[n].assign(list.begin(), list.end());
            });
  return lists;
}

std::vector<uint32_t> items_of(std::span<const ScoredItem> list) {
  std::vector<uint32_t> items;
  for (const ScoredItem& entry : list) items.push_back(entry.item);
  return items;
}

void expect_equals_reference(uint32_t user_count, uint32_t item_count, uint32_t dim, uint32_t k,
                             bool ties, uint64_t seed) {
  const RankedTable users(user_count, dim, seed, ties);
  const RankedTable items(item_count, dim, seed + 1, ties);
  const OwnedInteractions train =
      random_interactions(user_count, item_count, std::max(1U, item_count / 6), seed + 2);
  const OwnedInteractions valid = random_interactions(user_count, item_count, 2, seed + 3);
  const std::vector<Interactions> masks = {train.view(), valid.view()};
  const auto lists = rank_all(users.view, items.view, masks, k, 2, 2);
  for (uint32_t user = 0; user < user_count; ++user) {
    std::set<uint32_t> masked;
    for (const Interactions& mask : masks)
      masked.insert(mask.row(user).begin(), mask.row(user).end());
    const auto expected = reference_ranking(users.view, items.view, user, masked, k);
    ASSERT_EQ(items_of(lists[user]), items_of(expected)) << "user " << user << ", k " << k;
    for (size_t r = 0; r < expected.size(); ++r)
      ASSERT_FLOAT_EQ(lists[user][r].score, expected[r].score);
  }
}

TEST(Ranking, EqualsTheReferenceOnRandomVectors) {
  expect_equals_reference(40, 700, 24, 20, false, 1);
  expect_equals_reference(5, 2000, 8, 1, false, 2);
}

TEST(Ranking, EqualsTheReferenceWhereMostScoresAreEqual) {
  expect_equals_reference(40, 700, 2, 20, true, 3);
  expect_equals_reference(13, 500, 1, 50, true, 4);
  expect_equals_reference(13, 500, 1, 1, true, 5);
}

RC_GTEST_PROP(Ranking, EqualsTheReferenceAtAnyShape, ()) {
  const auto users = *rc::gen::inRange<uint32_t>(1, 20);
  const auto items = *rc::gen::inRange<uint32_t>(1, 200);
  const auto dim = *rc::gen::inRange<uint32_t>(1, 12);
  const auto k = *rc::gen::inRange<uint32_t>(1, 60);
  const bool ties = *rc::gen::arbitrary<bool>();
  const auto seed = *rc::gen::inRange<uint64_t>(0, 1000);
  expect_equals_reference(users, items, dim, k, ties, seed);
}

TEST(Ranking, BitsDoNotDependOnThreadsOrBlocks) {
  const RankedTable users(101, 64, 7, false);
  const RankedTable items(333, 64, 8, false);
  const std::vector<Interactions> no_masks;
  const auto expected = rank_all(users.view, items.view, no_masks, 30, 1, 1);
  for (const int threads : {1, 2, 7})
    for (const uint32_t tiles : {1U, 3U, 8U, 40U})
      EXPECT_EQ(rank_all(users.view, items.view, no_masks, 30, threads, tiles), expected);
}

TEST(Ranking, RisingAndFallingScores) {
  // Every item beats all before it, or none does: the two ends of what the buffer has to bear.
  const float one = 1;
  for (const float sign : {1.0F, -1.0F}) {
    std::vector<float> values;
    for (int i = 0; i < 1000; ++i) values.push_back(sign * static_cast<float>(i));
    const auto lists = rank_all({&one, 1, 1, 1}, {values.data(), 1000, 1, 1}, {}, 3, 1, 1);
    EXPECT_EQ(items_of(lists[0]),
              sign > 0 ? (std::vector<uint32_t>{999, 998, 997}) : (std::vector<uint32_t>{0, 1, 2}));
  }
}

TEST(Ranking, MinusZeroTiesWithZero) {
  const float one = 1;
  const std::vector<float> values = {-0.0F, 0.0F, -0.0F, -1.0F, 0.0F};
  const auto lists = rank_all({&one, 1, 1, 1}, {values.data(), 5, 1, 1}, {}, 5, 1, 1);
  EXPECT_EQ(items_of(lists[0]), (std::vector<uint32_t>{0, 1, 2, 4, 3}));
}

TEST(Ranking, InfinityIsBestAndNanIsNever) {
  const float one = 1;
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {1, std::numeric_limits<float>::quiet_NaN(), infinity,
                                     -infinity};
  const auto lists = rank_all({&one, 1, 1, 1}, {values.data(), 4, 1, 1}, {}, 4, 1, 1);
  EXPECT_EQ(items_of(lists[0]), (std::vector<uint32_t>{2, 0}));
}

TEST(Ranking, AUserWhoOwnsEverythingGetsAnEmptyList) {
  const RankedTable users(2, 4, 9, false);
  const RankedTable items(5, 4, 10, false);
  const OwnedInteractions train({{0, 1, 2, 3, 4}, {1}}, 5);
  const std::vector<Interactions> kept = {train.view()};
  const auto lists = rank_all(users.view, items.view, kept, 10, 1, 1);
  EXPECT_TRUE(lists[0].empty());
  EXPECT_EQ(lists[1].size(), 4U);
}

TEST(Ranking, OnlyAllowedItems) {
  const Executor executor(1);
  const RankedTable users(3, 4, 11, false);
  const RankedTable items(50, 4, 12, false);
  const std::vector<uint32_t> allowed = {3, 17, 18, 49};
  const std::vector<uint32_t> rows = {2};
  std::set<uint32_t> masked;
  for (uint32_t item = 0; item < 50; ++item)
    if (!std::binary_search(allowed.begin(), allowed.end(), item)) masked.insert(item);
  const OwnedInteractions train({{}, {}, {17}}, 50);
  masked.insert(17);
  const std::vector<Interactions> masks = {train.view()};
  const auto check = [&](std::span<const uint32_t> list, const std::set<uint32_t>& without) {
    PackedItems(items.view, executor, list)
        .rank({.users = users.view, .rows = rows, .masks = masks, .k = 10}, executor,
              [&](int, size_t, std::span<const ScoredItem> got) {
                EXPECT_EQ(items_of(got),
                          items_of(reference_ranking(users.view, items.view, 2, without, 10)));
              });
  };
  check(allowed, masked);
  std::set<uint32_t> everything;
  for (uint32_t item = 0; item < 50; ++item) everything.insert(item);
  check({}, everything);
}

}  // namespace
}  // namespace divns
