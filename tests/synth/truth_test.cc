// SPDX-License-Identifier: Apache-2.0
#include "synth/truth.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "synth/small_truth.h"

namespace divns {
namespace {

using testing::small_truth;

TEST(SynthTruth, PreferenceFollowsTheLaw) {
  const SynthTruth truth = small_truth();
  // w * (background + (1 - background) * pi * gain * exp(-distance^2 / 2))
  EXPECT_DOUBLE_EQ(truth.preference(0, 0), 0.1 * (0.2 + 0.8 * 0.75 * 2));
  EXPECT_DOUBLE_EQ(truth.preference(0, 1), 0.2 * (0.2 + 0.8 * 0.75 * 2 * std::exp(-0.5)));
  EXPECT_DOUBLE_EQ(truth.preference(0, 3), 0.15 * (0.2 + 0.8 * 0.25 * 3 * std::exp(-0.125)));
  EXPECT_DOUBLE_EQ(truth.preference(1, 4), 0.25 * 0.2);

  std::array<double, 5> all{};
  truth.preferences(0, all);
  for (uint32_t item = 0; item < 5; ++item) EXPECT_EQ(all[item], truth.preference(0, item));
}

TEST(SynthTruth, TastesInOneClusterAddUp) {
  SynthTruth truth = small_truth();
  truth.favourites[1] = 2;
  EXPECT_DOUBLE_EQ(truth.preference(0, 0), 0.1 * (0.2 + 0.8 * 2 * (0.75 + 0.25 * std::exp(-2.0))));
  EXPECT_DOUBLE_EQ(truth.affinity(0, 1), std::exp(-0.5));
}

TEST(SynthTruth, LikesWhatIsCloseToAFavourite) {
  const SynthTruth truth = small_truth();
  EXPECT_EQ(truth.affinity(0, 4), 1);
  EXPECT_EQ(truth.affinity(1, 4), 0);
  EXPECT_TRUE(truth.likes(0, 1));   // exp(-1/2) = 0.61
  EXPECT_FALSE(truth.likes(0, 2));  // exp(-2) = 0.14
  EXPECT_TRUE(truth.likes(0, 3));
  EXPECT_FALSE(truth.likes(1, 3));
}

}  // namespace
}  // namespace divns
