// SPDX-License-Identifier: Apache-2.0
#include "kernels/bfloat16.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace divns {
namespace {

TEST(Bfloat16, RoundsToTheNearestAndTiesToEven) {
  // 1 + 2^-8 lies between 1 (even) and 1 + 2^-7 (odd); 1 + 3 * 2^-8 between that and 1 + 2^-6.
  const std::vector<float> in = {1, -2,    1 + 0x1p-8F, 1 + 3 * 0x1p-8F, 1 + 0x1.1p-8F,
                                 0, -0.0F, 3e38F};
  std::vector<uint16_t> out(in.size());
  round_to_bfloat16(in.data(), in.size(), out.data());
  const std::vector<float> expected = {1, -2, 1, 1 + 0x1p-6F, 1 + 0x1p-7F, 0, -0.0F, 0x1.c4p127F};
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(reference::from_bfloat16(out[i]), expected[i]) << i;
}

TEST(Bfloat16, AgreesWithTheNearerOfTwoNeighbours) {
  Draws draws = Random(1, "bfloat16").draws();
  std::vector<float> in(4096);
  for (float& x : in) do
      x = std::bit_cast<float>(draws.u32());
    while (!(std::abs(x) < 1e38F));
  std::vector<uint16_t> fast(in.size());
  std::vector<uint16_t> plain(in.size());
  round_to_bfloat16(in.data(), in.size(), fast.data());
  reference::round_to_bfloat16(in.data(), in.size(), plain.data());
  EXPECT_EQ(fast, plain);
}

}  // namespace
}  // namespace divns
