// SPDX-License-Identifier: Apache-2.0
#include "data/sort_pairs.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "divns/random.h"

namespace divns {
namespace {

struct Shape {
  uint32_t users;
  uint32_t items;
  size_t pairs;
};

class SortPairs : public ::testing::TestWithParam<Shape> {};

struct Lines {
  std::vector<uint32_t> users;
  std::vector<uint32_t> items;
  std::vector<int64_t> times;
};

struct JoinedUsers {
  JoinedUsers() = default;
  explicit JoinedUsers(std::span<const uint32_t> lines) {
    for (const uint32_t user : lines) {
      if (users.empty() || users.back() != user) {
        users.push_back(user);
        counts.push_back(0);
      }
      ++counts.back();
    }
  }
  std::vector<uint32_t> users;
  std::vector<uint32_t> counts;
};

// The readable way: a map keeps pairs sorted and distinct.
void expect_sorted_as_by_a_map(const Lines& lines, const Shape& shape) {
  std::map<std::pair<uint32_t, uint32_t>, int64_t> expected;
  const size_t pairs = lines.users.size();
  for (size_t i = 0; i < pairs; ++i) {
    const auto [place, fresh] =
        expected.emplace(std::pair(lines.users[i], lines.items[i]), lines.times[i]);
    if (!fresh) place->second = std::min(place->second, lines.times[i]);
  }
  for (const auto& [timed, joined] : {std::pair(false, false), std::pair(true, false),
                                      std::pair(false, true), std::pair(true, true)}) {
    std::vector<UnsortedPairs> blocks;
    std::array<JoinedUsers, 3> runs;
    const size_t third = pairs / 3;
    const std::pair<size_t, size_t> parts[] = {{0, third}, {third, 0}, {third, pairs - third}};
    for (const auto& [begin, size] : parts) {
      const auto users = std::span(lines.users).subspan(begin, size);
      blocks.push_back(
          {users,
           {},
           std::span(lines.items).subspan(begin, size),
           timed ? std::span(lines.times).subspan(begin, size) : std::span<const int64_t>()});
      if (!joined) continue;
      JoinedUsers& of_block = runs[blocks.size() - 1];
      of_block = JoinedUsers(users);
      blocks.back().users = of_block.users;
      blocks.back().counts = of_block.counts;
    }
    for (const int threads : {1, 2, 7}) {
      const SortedPairs sorted = sort_pairs(blocks, shape.users, shape.items,
                                            Executor(threads, static_cast<uint64_t>(threads)));
      ASSERT_EQ(sorted.rows.pairs(), expected.size());
      ASSERT_EQ(sorted.rows.users(), shape.users);
      ASSERT_EQ(sorted.rows.offsets.back(), expected.size());
      auto next = expected.begin();
      for (uint32_t user = 0; user < shape.users; ++user)
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

Lines random_lines(const Shape& shape) {
  Draws draws = Random(1, "pairs").draws(shape.users, shape.items);
  Lines lines;
  for (size_t i = 0; i < shape.pairs; ++i) {
    lines.users.push_back(draws.below(shape.users));
    lines.items.push_back(draws.below(shape.items));
    lines.times.push_back(static_cast<int64_t>(draws.below(100)));
  }
  return lines;
}

TEST_P(SortPairs, AgreesWithAMap) {
  expect_sorted_as_by_a_map(random_lines(GetParam()), GetParam());
}

// Lines that are in order, and the ways in which they may just fail to be.
TEST_P(SortPairs, AgreesWithAMapWhereLinesAscend) {
  const Lines random = random_lines(GetParam());
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (size_t i = 0; i < random.users.size(); ++i) pairs.emplace(random.users[i], random.items[i]);
  Lines lines;
  for (const auto& [user, item] : pairs) {
    lines.users.push_back(user);
    lines.items.push_back(item);
    lines.times.push_back(static_cast<int64_t>(lines.times.size() % 7));
  }
  expect_sorted_as_by_a_map(lines, GetParam());
  const size_t n = lines.users.size();
  if (n < 6 || GetParam().users > 10000) return;
  for (const size_t at : {size_t{1}, n / 3, n - 1}) {  // n / 3 is where a block begins
    Lines repeated = lines;
    repeated.users[at] = repeated.users[at - 1];
    repeated.items[at] = repeated.items[at - 1];
    expect_sorted_as_by_a_map(repeated, GetParam());
    Lines swapped = lines;
    std::swap(swapped.users[at], swapped.users[at - 1]);
    std::swap(swapped.items[at], swapped.items[at - 1]);
    expect_sorted_as_by_a_map(swapped, GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SortPairs,
                         ::testing::Values(Shape{1, 1, 0}, Shape{1, 1, 5}, Shape{1, 1000, 2000},
                                           Shape{1000, 1, 2000}, Shape{50, 60, 20000},
                                           Shape{100000, 100000, 120000},
                                           Shape{1U << 22, UINT32_MAX, 40000},
                                           Shape{5000, 1U << 31, 40000}));

}  // namespace
}  // namespace divns
