// SPDX-License-Identifier: Apache-2.0
#include "data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "divns/random.h"
#include "support/errors.h"

namespace divns {
namespace {

// `degrees[u]` pairs for each user; times descend with the item, so that the "latest" item is item
// 0.
struct Users {
  explicit Users(const std::vector<uint32_t>& degrees) {
    for (const uint32_t degree : degrees) {
      rows.offsets.push_back(rows.offsets.back() + degree);
      for (uint32_t i = 0; i < degree; ++i) {
        rows.items.push_back(i);
        times.push_back(1000 - static_cast<int64_t>(i));
      }
    }
  }
  size_t size() const { return rows.pairs(); }
  // In slabs of so many users.
  SlabStore store(uint32_t users_per_slab = UINT32_MAX) const {
    SlabStore store;
    for (uint64_t first = 0; first < rows.users(); first += users_per_slab) {
      const uint64_t last = std::min<uint64_t>(rows.users(), first + users_per_slab);
      Rows slab;
      ScratchVector<int64_t> slab_times;
      for (uint64_t user = first; user < last; ++user) {
        for (uint64_t at = rows.offsets[user]; at < rows.offsets[user + 1]; ++at) {
          slab.items.push_back(rows.items[at]);
          if (!times.empty()) slab_times.push_back(times[at]);
        }
        slab.offsets.push_back(slab.items.size());
      }
      store.add(std::move(slab), std::move(slab_times));
    }
    return store;
  }

  Rows rows;
  ScratchVector<int64_t> times;
};

Users users_with(const std::vector<uint32_t>& degrees) {
  return Users(degrees);
}

std::array<size_t, 3> counts(const PartLabels& labels) {
  std::array<size_t, 3> result{};
  for (const uint8_t label : labels) ++result[label];
  return result;
}

PartLabels labels_of(const SlabStore& pairs, const SplitRequest& request,
                     const Executor& executor) {
  const Splitter splitter(pairs, request, executor);
  PartLabels all;
  pairs.for_each([&](const Slab& slab) {
    const PartLabels labels = splitter.labels(slab);
    all.insert(all.end(), labels.begin(), labels.end());
  });
  return all;
}

PartLabels split(const Users& pairs, SplitMethod method, uint64_t seed = 1,
                 std::array<double, 3> ratios = {0.7, 0.1, 0.2}) {
  const SplitRequest request{method, ratios, seed};
  const auto one = labels_of(pairs.store(), request, Executor(1));
  EXPECT_EQ(one, labels_of(pairs.store(), request, Executor(2, 5)));
  EXPECT_EQ(one, labels_of(pairs.store(), request, Executor(7)));
  EXPECT_EQ(one, labels_of(pairs.store(1), request, Executor(2)));
  EXPECT_EQ(one, labels_of(pairs.store(3), request, Executor(1)));
  return one;
}

TEST(Split, RandomSharesAreExact) {
  EXPECT_EQ(counts(split(users_with({100000}), SplitMethod::kRandom)),
            (std::array<size_t, 3>{70000, 10000, 20000}));
  EXPECT_EQ(counts(split(users_with({3, 4}), SplitMethod::kRandom)),
            (std::array<size_t, 3>{5, 1, 1}));
  EXPECT_EQ(counts(split(users_with({9}), SplitMethod::kRandom, 1, {1, 0, 0})),
            (std::array<size_t, 3>{9, 0, 0}));
  EXPECT_EQ(counts(split(users_with({9}), SplitMethod::kRandom, 1, {0, 0, 1})),
            (std::array<size_t, 3>{0, 0, 9}));
  EXPECT_EQ(counts(split(users_with({10}), SplitMethod::kRandom, 1, {0.8, 0, 0.2})),
            (std::array<size_t, 3>{8, 0, 2}));
  EXPECT_EQ(counts(split(users_with({10}), SplitMethod::kRandom, 1, {0.9, 0.1, 0})),
            (std::array<size_t, 3>{9, 1, 0}));
}

// The split as it is defined: pairs sorted by their words, and cut.
PartLabels split_by_sorting(size_t n, uint64_t seed) {
  const Random random(seed, "split.random");
  std::vector<std::pair<uint32_t, size_t>> order;
  for (size_t i = 0; i < n; ++i)
    order.emplace_back(random.block(static_cast<uint32_t>(i / 4), 0, 0, 0)[i % 4], i);
  std::sort(order.begin(), order.end());
  const auto cut = [n](double share) {
    return static_cast<size_t>(std::llround(share * static_cast<double>(n)));
  };
  PartLabels labels(n);
  for (size_t rank = 0; rank < n; ++rank)
    labels[order[rank].second] = rank < cut(0.7) ? kTrain : rank < cut(0.7 + 0.1) ? kValid : kTest;
  return labels;
}

// Enough seeds that now and then a cut falls outside the words it is first looked for among.
TEST(Split, RandomIsTheSplitOfTheSortedWords) {
  for (const uint32_t n : {1U, 7U, 100U, 1000U})
    for (uint64_t seed = 0; seed < 300; ++seed)
      ASSERT_EQ(labels_of(users_with({n}).store(), {SplitMethod::kRandom, {0.7, 0.1, 0.2}, seed},
                          Executor(1)),
                split_by_sorting(n, seed))
          << n << " pairs, seed " << seed;
  ASSERT_EQ(split(users_with({300000}), SplitMethod::kRandom), split_by_sorting(300000, 1));
}

TEST(Split, RandomTreatsEveryPairAlike) {
  const Users pairs = users_with({10, 10});
  std::vector<int> tested(pairs.size());
  constexpr int kSeeds = 4000;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto labels =
        labels_of(pairs.store(), {SplitMethod::kRandom, {0.7, 0.1, 0.2}, seed}, Executor(1));
    for (size_t i = 0; i < labels.size(); ++i) tested[i] += labels[i] == kTest ? 1 : 0;
  }
  // Each is tested with probability 1/5; 20 cells, 19 degrees of freedom, variance scaled by (1 -
  // 1/5) n/(n-1).
  double chi = 0;
  for (const int count : tested) chi += (count - 800.0) * (count - 800.0) / (800.0 * 0.8 * 20 / 19);
  EXPECT_LT(chi, 43.8);
  EXPECT_NE(split(pairs, SplitMethod::kRandom, 1), split(pairs, SplitMethod::kRandom, 2));
}

TEST(Split, PerUserKeepsTheSharesOfEveryUser) {
  const Users pairs = users_with({10, 1, 2, 5, 100});
  const auto labels = split(pairs, SplitMethod::kPerUser);
  std::map<uint32_t, std::array<size_t, 3>> by_user;
  for (uint32_t user = 0; user < pairs.rows.users(); ++user)
    for (uint64_t at = pairs.rows.offsets[user]; at < pairs.rows.offsets[user + 1]; ++at)
      ++by_user[user][labels[at]];
  EXPECT_EQ(by_user[0], (std::array<size_t, 3>{7, 1, 2}));
  EXPECT_EQ(by_user[1], (std::array<size_t, 3>{1, 0, 0}));
  EXPECT_EQ(by_user[4], (std::array<size_t, 3>{70, 10, 20}));
  for (auto& [user, parts] : by_user) EXPECT_GE(parts[kTrain], 1U) << user;
}

TEST(Split, PerUserNeverLeavesAUserUntrained) {
  const Users pairs = users_with({1, 1, 1});
  for (const uint8_t label : split(pairs, SplitMethod::kPerUser, 1, {0.2, 0.3, 0.5}))
    EXPECT_EQ(label, kTrain);
}

TEST(Split, LeaveOneOutTakesTheLatest) {
  const Users pairs = users_with({4, 2});
  EXPECT_EQ(split(pairs, SplitMethod::kLeaveOneOut),
            (PartLabels{kTest, kValid, kTrain, kTrain, kTrain, kTrain}));
  Users timeless = pairs;
  timeless.times.clear();
  EXPECT_EQ(counts(split(timeless, SplitMethod::kLeaveOneOut)), (std::array<size_t, 3>{4, 1, 1}));
}

TEST(Split, TemporalCutsByTimeWithTiesInOrder) {
  Users pairs = users_with({5, 5});
  const std::vector<int64_t> times = {5, 4, 3, 2, 1, 10, 9, 8, 7, 6};
  pairs.times.assign(times.begin(), times.end());
  EXPECT_EQ(split(pairs, SplitMethod::kTemporal), (PartLabels{0, 0, 0, 0, 0, 2, 2, 1, 0, 0}));
  EXPECT_EQ(split(pairs, SplitMethod::kTemporalPerUser),
            (PartLabels{2, 0, 0, 0, 0, 2, 0, 0, 0, 0}));
  std::fill(pairs.times.begin(), pairs.times.end(), 1);
  EXPECT_EQ(split(pairs, SplitMethod::kTemporal), (PartLabels{0, 0, 0, 0, 0, 0, 0, 1, 2, 2}));
}

// Times from end to end of their range, of which the marks are found digit by digit.
TEST(Split, TemporalIsTheSplitOfTheSortedTimes) {
  for (const int64_t range : {int64_t{1}, int64_t{3}, int64_t{70000}, INT64_MAX})
    for (uint64_t seed = 0; seed < 30; ++seed) {
      Users pairs = users_with({1, 40, 0, 7, 52});
      Draws draws = Random(seed, "times").draws();
      std::vector<std::pair<int64_t, size_t>> order;
      for (size_t i = 0; i < pairs.size(); ++i) {
        const uint64_t word = uint64_t{draws.below(UINT32_MAX)} << 32 | draws.below(UINT32_MAX);
        pairs.times[i] = static_cast<int64_t>(word) % range;
        order.emplace_back(pairs.times[i], i);
      }
      std::sort(order.begin(), order.end());
      PartLabels expected(pairs.size());
      for (size_t rank = 0; rank < order.size(); ++rank)
        expected[order[rank].second] = rank < 70 ? kTrain : rank < 80 ? kValid : kTest;
      ASSERT_EQ(split(pairs, SplitMethod::kTemporal), expected) << range << ", seed " << seed;
      for (uint8_t& label : expected) label = std::min(label, kValid);
      ASSERT_EQ(split(pairs, SplitMethod::kTemporal, 1, {0.7, 0.3, 0}), expected);
    }
}

TEST(Split, RatiosMustSumToOne) {
  EXPECT_EQ(
      testing::error_of([] {
        labels_of(users_with({5}).store(), {SplitMethod::kRandom, {0.7, 0.2, 0.2}, 1}, Executor(1));
      }),
      "the split ratios 0.7, 0.2, 0.2 sum to 1.1, but train, valid and test must sum to 1.");
}

TEST(Split, PartsHoldWhatTheirLabelsSay) {
  const Users pairs = users_with({3, 0, 2});
  const auto parts = rows_by_part(pairs.rows, {kTrain, kTest, kTrain, kValid, kTrain}, Executor(2));
  EXPECT_EQ(parts[kTrain].offsets, (std::vector<uint64_t>{0, 2, 2, 3}));
  EXPECT_EQ(parts[kTrain].items[1], 2U);
  EXPECT_EQ(parts[kValid].offsets, (std::vector<uint64_t>{0, 0, 0, 1}));
  EXPECT_EQ(parts[kTest].items[0], 1U);
}

TEST(Split, PartsHaveTheSlabsOfThePairs) {
  const SlabStore pairs = users_with({3, 0, 2, 5}).store(3);
  const auto parts = divide(pairs, {SplitMethod::kRandom, {0.5, 0.2, 0.3}, 1}, Executor(2));
  EXPECT_EQ(parts[kTrain].pairs(), 5U);
  EXPECT_EQ(parts[kTest].pairs(), 3U);
  for (const SlabStore& part : parts) {
    ASSERT_EQ(part.slabs(), 2U);
    Slab unused;
    EXPECT_EQ(part.read(1, unused).first_user, 3U);
    EXPECT_EQ(part.users(), 4U);
  }
}

TEST(Split, NothingIsSplitIntoNothing) {
  EXPECT_TRUE(split(users_with({}), SplitMethod::kRandom).empty());
}

}  // namespace
}  // namespace divns
