// SPDX-License-Identifier: Apache-2.0
#include "divns/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace divns {
namespace {

// Chi-square of observed counts against equal expectation.
double chi_square(const std::vector<int>& counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// The known answers published with Random123 for philox4x32, 10 rounds.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Draws::Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Draws::Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Draws::Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, IsAFunctionOfSeedPurposeAndCoordinates) {
  const Random random(7, "test");
  EXPECT_EQ(random.draws(1, 2, 3).u64(), Random(7, "test").draws(1, 2, 3).u64());
  std::set<uint64_t> values = {random.draws(1, 2, 3).u64(),
                               random.draws(2, 2, 3).u64(),
                               random.draws(1, 3, 3).u64(),
                               random.draws(1, 2, 4).u64(),
                               Random(8, "test").draws(1, 2, 3).u64(),
                               Random(7, "rest").draws(1, 2, 3).u64()};
  EXPECT_EQ(values.size(), 6U);
}

TEST(Random, DrawsWalkTheBlocksInOrder) {
  const Random random(7, "test");
  Draws draws = random.draws(4, 5, 6);
  for (uint32_t d = 0; d < 3; ++d)
    for (const uint32_t word : random.block(4, 5, 6, d)) EXPECT_EQ(draws.u32(), word);
}

TEST(Random, BelowIsUniformAndUnbiased) {
  Draws draws = Random(1, "below").draws();
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[draws.below(7)];
  EXPECT_LT(chi_square(counts), 22.5);  // 6 degrees of freedom, p = 0.001
  // With n = 3 * 2^30 a plain modulus would favour the lowest third by a factor of two.
  std::vector<int> thirds(3);
  for (int i = 0; i < 30000; ++i) ++thirds[draws.below(3U << 30) >> 30];
  EXPECT_LT(chi_square(thirds), 13.8);
  std::vector<int> wide(3);
  for (int i = 0; i < 30000; ++i) ++wide[draws.below64(3ULL << 62) >> 62];
  EXPECT_LT(chi_square(wide), 13.8);
  EXPECT_EQ(draws.below(1), 0U);
}

TEST(Random, UniformStaysInsideAndHasTheRightMoments) {
  Draws draws = Random(2, "uniform").draws();
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = draws.uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
    squares += value * value;
    const float single = draws.uniform_float();
    ASSERT_TRUE(single >= 0.0F && single < 1.0F);
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 4 * std::sqrt(1.0 / 12 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, 0.004);
}

TEST(Random, NormalMatchesItsDistribution) {
  Draws draws = Random(3, "normal").draws();
  // Ten cells of equal probability, bounded by the deciles of the standard normal.
  const std::array<double, 9> deciles = {
      -1.2815515655446004, -0.8416212335729142, -0.5244005127080407, -0.2533471031357997, 0.0,
      0.2533471031357997,  0.5244005127080407,  0.8416212335729142,  1.2815515655446004};
  std::vector<int> counts(10);
  for (int i = 0; i < 100000; ++i) {
    const double value = draws.normal();
    ++counts[static_cast<size_t>(std::lower_bound(deciles.begin(), deciles.end(), value) -
                                 deciles.begin())];
  }
  EXPECT_LT(chi_square(counts), 27.9);  // 9 degrees of freedom, p = 0.001
}

TEST(Random, ShuffleGivesEveryOrderEquallyOften) {
  std::map<std::array<int, 4>, int> seen;
  for (uint32_t i = 0; i < 48000; ++i) {
    std::array<int, 4> values = {0, 1, 2, 3};
    Draws draws = Random(4, "shuffle").draws(i);
    shuffle(draws, std::span<int>(values));
    ++seen[values];
  }
  ASSERT_EQ(seen.size(), 24U);
  std::vector<int> counts;
  for (const auto& entry : seen) counts.push_back(entry.second);
  EXPECT_LT(chi_square(counts), 49.7);  // 23 degrees of freedom, p = 0.001
}

TEST(Random, SamplesWithoutReplacementAreUniformOrderedChoices) {
  std::map<std::array<uint32_t, 2>, int> seen;
  for (uint32_t i = 0; i < 40000; ++i) {
    std::array<uint32_t, 2> out{};
    Draws draws = Random(5, "choice").draws(i);
    sample_without_replacement(draws, 5, out);
    ++seen[out];
  }
  ASSERT_EQ(seen.size(), 20U);
  std::vector<int> counts;
  for (const auto& entry : seen) counts.push_back(entry.second);
  EXPECT_LT(chi_square(counts), 43.8);  // 19 degrees of freedom, p = 0.001
}

TEST(Random, LargeSamplesAreDistinctAndMayTakeEverything) {
  for (const uint32_t k : {0U, 1U, 48U, 49U, 300U}) {
    std::vector<uint32_t> out(k);
    Draws draws = Random(6, "large").draws(k);
    sample_without_replacement(draws, 300, out);
    EXPECT_EQ(std::set<uint32_t>(out.begin(), out.end()).size(), k);
    for (const uint32_t value : out) EXPECT_LT(value, 300U);
  }
}

}  // namespace
}  // namespace divns
