// SPDX-License-Identifier: Apache-2.0
#include "data/apportion.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <numeric>

namespace divns {
namespace {

using Counts = std::vector<uint64_t>;

TEST(Apportion, FollowsTheWeights) {
  EXPECT_EQ(apportion(10, 0, 10, std::array<double, 3>{5, 3, 2}), (Counts{5, 3, 2}));
  EXPECT_EQ(apportion(13, 1, 20, std::array<double, 3>{5, 3, 2}), (Counts{6, 4, 3}));
}

TEST(Apportion, GivesWhatTheMaximumRefusesToTheOthers) {
  // 9 beyond the maximum of 4 leave 4, and 6 more go 3 to 3.
  EXPECT_EQ(apportion(10, 0, 4, std::array<double, 3>{100, 1, 1}), (Counts{4, 3, 3}));
  EXPECT_EQ(apportion(12, 0, 4, std::array<double, 3>{100, 1, 1}), (Counts{4, 4, 4}));
  EXPECT_EQ(apportion(6, 2, 4, std::array<double, 3>{100, 1, 1}), (Counts{2, 2, 2}));
}

TEST(Apportion, AlwaysMeetsTotalAndBounds) {
  EXPECT_TRUE(rc::check([] {
    const auto n = *rc::gen::inRange<uint64_t>(1, 200);
    const auto minimum = *rc::gen::inRange<uint64_t>(0, 5);
    const auto maximum = minimum + *rc::gen::inRange<uint64_t>(0, 1000);
    const auto total = *rc::gen::inRange<uint64_t>(minimum * n, maximum * n + 1);
    const double exponent = *rc::gen::inRange(0, 30) / 10.0;
    const auto counts = apportion(total, minimum, maximum, power_law(n, exponent, 0.001));
    RC_ASSERT(std::accumulate(counts.begin(), counts.end(), uint64_t{0}) == total);
    for (const uint64_t count : counts) RC_ASSERT(count >= minimum && count <= maximum);
  }));
}

TEST(PowerLaw, HasItsExponentBeyondTheHead) {
  const auto law = power_law(4, 2, 0.125);
  // (k + 1/2) / 4 + 1/8 = 1/4, 1/2, 3/4, 1
  EXPECT_DOUBLE_EQ(law[0], 16);
  EXPECT_DOUBLE_EQ(law[1], 4);
  EXPECT_DOUBLE_EQ(law[3], 1);
}

}  // namespace
}  // namespace divns
