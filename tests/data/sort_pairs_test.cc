// SPDX-License-Identifier: Apache-2.0
#include "data/sort_pairs.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace divns {
namespace {

struct Shape {
  uint32_t users;
  uint32_t items;
  size_t pairs;
};

class SortPairs : public ::testing::TestWithParam<Shape> {};

// The readable way: a map keeps pairs sorted and distinct.
TEST_P(SortPairs, AgreesWithAMap) {
  const auto [users, items, pairs] = GetParam();
  Draws draws = Random(1, "pairs").draws(users, items);
  std::vector<uint32_t> user_column;
  std::vector<uint32_t> item_column;
  std::vector<int64_t> times;
  std::map<std::pair<uint32_t, uint32_t>, int64_t> expected;
  for (size_t i = 0; i < pairs; ++i) {
    user_column.push_back(draws.below(users));
    item_column.push_back(draws.below(items));
    times.push_back(static_cast<int64_t>(draws.below(100)));
    const auto [place, fresh] =
        expected.emplace(std::pair(user_column[i], item_column[i]), times[i]);
    if (!fresh) place->second = std::min(place->second, times[i]);
  }
  for (const bool timed : {false, true}) {
    std::vector<UnsortedPairs> blocks;
    const size_t third = pairs / 3;
    for (const auto& [begin, size] : {std::pair(size_t{0}, third), std::pair(third, pairs - third)})
      blocks.push_back(
          {std::span(user_column).subspan(begin, size), std::span(item_column).subspan(begin, size),
           timed ? std::span(times).subspan(begin, size) : std::span<const int64_t>()});
    for (const int threads : {1, 2, 7}) {
      const SortedPairs sorted =
          sort_pairs(blocks, users, items, Executor(threads, static_cast<uint64_t>(threads)));
      ASSERT_EQ(sorted.rows.pairs(), expected.size());
      ASSERT_EQ(sorted.rows.users(), users);
      ASSERT_EQ(sorted.rows.offsets.back(), expected.size());
      auto next = expected.begin();
      for (uint32_t user = 0; user < users; ++user)
        for (uint64_t at = sorted.rows.offsets[user]; at < sorted.rows.offsets[user + 1];
             ++at, ++next) {
          ASSERT_EQ(next->first, std::pair(user, sorted.rows.items[at]));
          if (timed) {
            ASSERT_EQ(next->second, sorted.times[at]);
          }
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SortPairs,
                         ::testing::Values(Shape{1, 1, 0}, Shape{1, 1, 5}, Shape{1, 1000, 2000},
                                           Shape{1000, 1, 2000}, Shape{50, 60, 20000},
                                           Shape{100000, 100000, 300000},
                                           Shape{1U << 22, UINT32_MAX, 40000},
                                           Shape{5000, 1U << 31, 40000}));

}  // namespace
}  // namespace divns
