// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "divns/dpp.h"
#include "divns/parallel.h"
#include "divns/random.h"
#include "support/errors.h"

namespace divns {
namespace {

// Sets of very unequal size over one table.
struct Problem {
  std::vector<float> vectors;
  VectorTable table;
  std::vector<uint64_t> candidate_offsets = {0}, against_offsets = {0};
  std::vector<uint32_t> candidates, against, sizes;

  explicit Problem(size_t sets) {
    constexpr uint32_t kSelectable = 400, kDim = 12;
    Draws draws = Random(51, "selector_test").draws();
    vectors.resize(size_t{kSelectable} * (kDim + 3));
    for (float& x : vectors) x = static_cast<float>(draws.normal());
    table = {vectors.data(), kSelectable, kDim, kDim + 3};
    for (size_t s = 0; s < sets; ++s) {
      const uint32_t n = s % 17 == 0 ? 300 : draws.below(20);
      std::vector<uint32_t> ids(n);
      sample_without_replacement(draws, kSelectable, ids);
      std::sort(ids.begin(), ids.end());
      candidates.insert(candidates.end(), ids.begin(), ids.end());
      candidate_offsets.push_back(candidates.size());
      for (uint32_t h = draws.below(5); h > 0; --h) against.push_back(draws.below(kSelectable));
      against_offsets.push_back(against.size());
      sizes.push_back(draws.below(n / 2 + 3));
    }
  }
  DppSets sets() const { return {candidate_offsets, candidates, against_offsets, against, sizes}; }
  size_t room() const {
    size_t sum = 0;
    for (const uint32_t k : sizes) sum += k;
    return sum;
  }
};

struct Answer {
  std::vector<uint32_t> chosen, counts;
  bool operator==(const Answer&) const = default;
};

Answer solve(const Problem& problem, DppSelector& selector, uint32_t epoch = 0) {
  Answer answer{std::vector<uint32_t>(problem.room(), 999999),
                std::vector<uint32_t>(problem.sizes.size(), 7)};
  selector.select(problem.table, problem.sets(), answer.chosen, answer.counts, 3, epoch);
  return answer;
}

TEST(DppSelector, EachSetGetsWhatItWouldGetAlone) {
  const Problem problem(60);
  DppSelector selector({}, 2);
  const Answer answer = solve(problem, selector);
  size_t start = 0;
  for (size_t s = 0; s < problem.sizes.size(); ++s) {
    std::vector<float> mine, hard;
    const auto copy = [&](uint32_t id, std::vector<float>& out) {
      out.insert(out.end(), problem.table.row(id), problem.table.row(id) + problem.table.dim);
    };
    const uint64_t first = problem.candidate_offsets[s], last = problem.candidate_offsets[s + 1];
    for (uint64_t i = first; i < last; ++i) copy(problem.candidates[i], mine);
    for (uint64_t i = problem.against_offsets[s]; i < problem.against_offsets[s + 1]; ++i)
      copy(problem.against[i], hard);
    const uint32_t dim = problem.table.dim;
    const VectorTable table{mine.data(), static_cast<uint32_t>(last - first), dim, dim};
    const auto q =
        dpp_penalty(table, {hard.data(), static_cast<uint32_t>(hard.size() / dim), dim, dim});
    const DppSelection alone = dpp_greedy(table, q, problem.sizes[s]);
    ASSERT_EQ(answer.counts[s], alone.items.size()) << s;
    for (size_t t = 0; t < alone.items.size(); ++t)
      EXPECT_EQ(answer.chosen[start + t], problem.candidates[first + alone.items[t]]) << s;
    for (size_t t = alone.items.size(); t < problem.sizes[s]; ++t)
      EXPECT_EQ(answer.chosen[start + t], 999999U);
    start += problem.sizes[s];
  }
}

TEST(DppSelector, ThreadsAndScheduleDoNotMatter) {
  const Problem problem(120);
  for (const DppMethod method : {DppMethod::kGreedy, DppMethod::kExact}) {
    DppConfig config;
    config.method = method;
    const Answer expected = [&] {
      DppSelector one(config, 1);
      return solve(problem, one);
    }();
    for (const int threads : {2, 5}) {
      const Executor shuffled(threads, 77);
      DppSelector selector(config, shuffled);
      EXPECT_EQ(solve(problem, selector), expected);
      EXPECT_EQ(solve(problem, selector), expected) << "used scratch";
    }
  }
}

TEST(DppSelector, ExactDrawsAnewEachEpoch) {
  const Problem problem(30);
  DppConfig config;
  config.method = DppMethod::kExact;
  DppSelector selector(config, 1);
  EXPECT_NE(solve(problem, selector, 0), solve(problem, selector, 1));
}

TEST(DppSelector, WithoutPenaltyQualityIsOne) {
  Problem problem(5);
  DppSelector selector({}, 1);
  problem.against_offsets.clear();
  const Answer vanilla = solve(problem, selector);
  // Of unit vectors the first listed is chosen first.
  size_t start = 0;
  for (size_t s = 0; s < 5; ++s) {
    if (vanilla.counts[s] > 0) {
      EXPECT_EQ(vanilla.chosen[start], problem.candidates[problem.candidate_offsets[s]]);
    }
    start += problem.sizes[s];
  }
}

TEST(DppSelector, RefusesListsThatDoNotFit) {
  const auto error = [](auto&& spoil) {
    Problem problem(3);
    spoil(problem);
    DppSelector selector({}, 1);
    return testing::error_of([&] { solve(problem, selector); });
  };
  EXPECT_NE(error([](Problem& p) { p.candidates[0] = 400; }).find("400"), std::string::npos);
  EXPECT_NE(error([](Problem& p) { p.candidate_offsets.pop_back(); }).find("offsets"),
            std::string::npos);
  EXPECT_NE(error([](Problem& p) { p.candidate_offsets[1] = 1U << 30; }).find("ascend"),
            std::string::npos);
  EXPECT_NE(error([](Problem& p) {
              p.vectors[5] = std::numeric_limits<float>::infinity();
            }).find("not finite"),
            std::string::npos);
}

}  // namespace
}  // namespace divns
