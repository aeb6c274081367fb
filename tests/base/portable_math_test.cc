// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "divns/random.h"

namespace divns {
namespace {

// Distance in units of the last place of `expected`.
double ulps(double value, double expected) {
  if (value == expected) return 0;
  return std::abs(value - expected) /
         (std::nextafter(std::abs(expected), std::numeric_limits<double>::infinity()) -
          std::abs(expected));
}

TEST(PortableMath, AgreesWithTheCLibrary) {
  Draws draws = Random(1, "portable").draws();
  for (int i = 0; i < 20000; ++i) {
    const double u = draws.uniform();
    const double wide = std::ldexp(1 + u, static_cast<int>(draws.below(2000)) - 1000);
    EXPECT_LE(ulps(portable::log(1 - u), std::log(1 - u)), 2) << u;
    EXPECT_LE(ulps(portable::log(wide), std::log(wide)), 2) << wide;
    const double x = 1400 * (u - 0.5);
    EXPECT_LE(ulps(portable::exp(x), std::exp(x)), 2) << x;
    EXPECT_LE(ulps(portable::exp(-5 * u), std::exp(-5 * u)), 2) << u;
    EXPECT_LE(ulps(portable::pow(1 + 50 * u, -3 * u), std::pow(1 + 50 * u, -3 * u)), 20) << u;
    const auto [sine, cosine] = portable::sine_cosine_of_turns(u);
    EXPECT_NEAR(sine, std::sin(2 * std::numbers::pi * u), 1e-15) << u;
    EXPECT_NEAR(cosine, std::cos(2 * std::numbers::pi * u), 1e-15) << u;
  }
}

TEST(PortableMath, SpecialValues) {
  EXPECT_EQ(portable::log(1), 0);
  EXPECT_EQ(portable::exp(0), 1);
  EXPECT_EQ(portable::exp(-1000), 0);
  EXPECT_EQ(portable::exp(1000), std::numeric_limits<double>::infinity());
  EXPECT_EQ(portable::sine_cosine_of_turns(0.25).sine, 1);
  EXPECT_EQ(portable::sine_cosine_of_turns(0.5).cosine, -1);
  EXPECT_EQ(portable::sine_cosine_of_turns(-0.75).sine, 1);
}

// The bits themselves, which every machine must reproduce.
TEST(PortableMath, SameBitsEverywhere) {
  EXPECT_EQ(portable::log(0.3), -0x1.34378fcbda721p+0);
  EXPECT_EQ(portable::exp(-1.7), 0x1.7622c78a98a07p-3);
  EXPECT_EQ(portable::pow(3.7, -0.9), 0x1.3b70f1f2da8cdp-2);
  EXPECT_EQ(portable::sine_cosine_of_turns(0.1).sine, 0x1.2cf2304755a5ep-1);
  EXPECT_EQ(portable::sine_cosine_of_turns(0.1).cosine, 0x1.9e3779b97f4a8p-1);
}

}  // namespace
}  // namespace divns
