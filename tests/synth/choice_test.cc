// SPDX-License-Identifier: Apache-2.0
#include "synth/choice.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "synth/small_truth.h"

namespace divns {
namespace {

using testing::small_truth;

// Chi-square of the ordered choices of two items out of five against
// P(i, j) = r_i / R * r_j / (R - r_i); 19 degrees of freedom.
double chi_square_of_two_choices(uint64_t attempts) {
  constexpr uint32_t kTrials = 40'000;
  const SynthTruth truth = small_truth();
  const ChoiceSampler sampler(truth);
  const Random random(3, "choice test");
  ChoiceSampler::Scratch scratch;
  std::map<std::pair<uint32_t, uint32_t>, double> counts;
  for (uint32_t trial = 0; trial < kTrials; ++trial) {
    std::array<uint32_t, 2> chosen{};
    sampler.choose(0, random.draws(trial), attempts, scratch, chosen);
    ++counts[{chosen[0], chosen[1]}];
  }

  std::array<double, 5> rates{};
  truth.preferences(0, rates);
  const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
  double chi_square = 0;
  for (uint32_t i = 0; i < 5; ++i) {
    EXPECT_EQ(counts.count({i, i}), 0U);
    for (uint32_t j = 0; j < 5; ++j) {
      if (i == j) continue;
      const double expected = kTrials * rates[i] / sum * rates[j] / (sum - rates[i]);
      chi_square += std::pow(counts[{i, j}] - expected, 2) / expected;
    }
  }
  return chi_square;
}

constexpr double kLimit = 43.8;  // 99.9 % point at 19 degrees of freedom

TEST(ChoiceSampler, RejectionDrawsFromTheLaw) {
  EXPECT_LT(chi_square_of_two_choices(1'000'000), kLimit);
}

TEST(ChoiceSampler, RaceDrawsFromTheLaw) {
  EXPECT_LT(chi_square_of_two_choices(0), kLimit);
}

TEST(ChoiceSampler, ChangingRoadsKeepsTheLaw) {
  EXPECT_LT(chi_square_of_two_choices(1), kLimit);
  EXPECT_LT(chi_square_of_two_choices(3), kLimit);
}

TEST(ChoiceSampler, CanChooseEveryItem) {
  const SynthTruth truth = small_truth();
  const ChoiceSampler sampler(truth);
  ChoiceSampler::Scratch scratch;
  std::array<uint32_t, 5> chosen{};
  sampler.choose(1, Random(1, "all").draws(), 4, scratch, chosen);
  std::sort(chosen.begin(), chosen.end());
  EXPECT_EQ(chosen, (std::array<uint32_t, 5>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace divns
