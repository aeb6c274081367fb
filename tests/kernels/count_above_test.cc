// SPDX-License-Identifier: Apache-2.0
#include "kernels/count_above.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "divns/random.h"

namespace divns {
namespace {

TEST(CountAbove, AgreesWithTheReference) {
  Draws draws = Random(1, "count").draws();
  for (size_t n = 0; n < 150; ++n) {
    std::vector<float> values(n);
    for (float& value : values) value = static_cast<float>(draws.below(7));
    if (n > 3) values[n / 2] = std::numeric_limits<float>::quiet_NaN();
    for (const float cut : {-1.0F, 0.0F, 3.0F, 3.5F, 7.0F})
      ASSERT_EQ(count_above(values, cut), reference::count_above(values, cut)) << n;
  }
}

TEST(CountAbove, InfinityIsAboveEverythingElse) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values(40, infinity);
  EXPECT_EQ(count_above(values, 1e38F), 40U);
  EXPECT_EQ(count_above(values, infinity), 0U);
}

}  // namespace
}  // namespace divns
