// SPDX-License-Identifier: Apache-2.0
#include "data/sort_pairs.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "data/pair_list.h"

namespace divns {
namespace {

struct Shape {
  uint32_t users;
  uint32_t items;
  size_t pairs;
};

class SortPairs : public ::testing::TestWithParam<Shape> {};

// The readable way: a map keeps keys sorted and distinct.
TEST_P(SortPairs, AgreesWithAMap) {
  const auto [users, items, pairs] = GetParam();
  Draws draws = Random(1, "pairs").draws(users, items);
  ScratchVector<uint64_t> keys;
  ScratchVector<int64_t> times;
  std::map<uint64_t, int64_t> expected;
  for (size_t i = 0; i < pairs; ++i) {
    const uint64_t key = PairList::key(draws.below(users), draws.below(items));
    const auto time = static_cast<int64_t>(draws.below(100));
    keys.push_back(key);
    times.push_back(time);
    const auto [place, fresh] = expected.emplace(key, time);
    if (!fresh) place->second = std::min(place->second, time);
  }
  std::vector<uint64_t> expected_keys;
  std::vector<int64_t> expected_times;
  for (const auto& [key, time] : expected) {
    expected_keys.push_back(key);
    expected_times.push_back(time);
  }
  for (const int threads : {1, 2, 7}) {
    const Executor executor(threads, static_cast<uint64_t>(threads));
    auto timed_keys = keys;
    auto timed_times = times;
    sort_and_merge(timed_keys, timed_times, executor);
    EXPECT_TRUE(std::equal(timed_keys.begin(), timed_keys.end(), expected_keys.begin(),
                           expected_keys.end()));
    EXPECT_TRUE(std::equal(timed_times.begin(), timed_times.end(), expected_times.begin(),
                           expected_times.end()));
    auto plain_keys = keys;
    ScratchVector<int64_t> none;
    sort_and_merge(plain_keys, none, executor);
    EXPECT_TRUE(std::equal(plain_keys.begin(), plain_keys.end(), expected_keys.begin(),
                           expected_keys.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SortPairs,
                         ::testing::Values(Shape{1, 1, 0}, Shape{1, 1, 5}, Shape{1, 1000, 2000},
                                           Shape{1000, 1, 2000}, Shape{50, 60, 20000},
                                           Shape{100000, 100000, 300000},
                                           Shape{UINT32_MAX, UINT32_MAX, 40000}));

}  // namespace
}  // namespace divns
