// SPDX-License-Identifier: Apache-2.0
#include "kernels/bfloat16.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "divns/random.h"

namespace divns {
namespace {

using reference::even_of_pair;
using reference::odd_of_pair;

std::vector<uint32_t> rounded(const std::vector<float>& in, float scale = 1) {
  std::vector<uint32_t> words(in.size() / 2);
  round_to_pairs(scale, in.data(), in.size(), words.data());
  return words;
}

TEST(Bfloat16, EvenColumnsAreRoundedToEightBits) {
  // 1 + 2^-8 lies between 1 and 1 + 2^-7; ties go up.
  const std::vector<float> in = {1, 7,     1 + 0x1p-8F, 7, -1 - 0x1.1p-8F, 7, 1 + 0x1.9p-9F, 7,
                                 0, -0.0F, -0.0F,       0, 3e38F,          1, -2.5F,         1};
  const std::vector<float> expected = {1, 1 + 0x1p-7F, -1 - 0x1p-7F, 1,
                                       0, -0.0F,       0x1.c4p127F,  -2.5F};
  const std::vector<uint32_t> words = rounded(in);
  for (size_t i = 0; i < words.size(); ++i) EXPECT_EQ(even_of_pair(words[i]), expected[i]) << i;
}

// An odd column that is zero stays next to nothing whatever stands beside it, and rows of zeros,
// which nodes without edges have, stay zero.
TEST(Bfloat16, ZerosStayZero) {
  const std::vector<uint32_t> words = rounded({0, 0, -1, 0, 1.9F, -0.0F, -3e38F, 0});
  EXPECT_EQ(words[0], 0U);
  for (const uint32_t word : words) EXPECT_LT(std::abs(odd_of_pair(word)), 1e-40F);
}

TEST(Bfloat16, AgreesWithTheNearestWordsAndIsOffByAtMostHalfAUnit) {
  Draws draws = Random(1, "bfloat16").draws();
  std::vector<float> in(8192);
  for (float& x : in) do
      x = std::bit_cast<float>(draws.u32());
    while (!(std::abs(x) < 1e38F));
  const std::vector<uint32_t> words = rounded(in);
  for (size_t i = 0; i < words.size(); ++i) {
    const float even = in[2 * i];
    const float odd = in[2 * i + 1];
    // Where a word lies as near below a power of two as the next one above it, the fast way, which
    // counts units, may take the other one.
    const uint32_t plain = reference::round_to_pair(even, odd);
    EXPECT_EQ(even_of_pair(words[i]), even_of_pair(plain)) << i;
    EXPECT_NEAR(odd_of_pair(words[i]), odd_of_pair(plain), 0x1p-7 * std::abs(odd)) << i;
    // Eight bits, but for numbers so small that they have fewer.
    EXPECT_LE(std::abs(double{even_of_pair(words[i])} - double{even}),
              0x1p-8 * std::abs(double{even}) + 1e-40);
    EXPECT_LE(std::abs(double{odd_of_pair(words[i])} - double{odd}),
              0x1p-8 * std::abs(double{odd}) + 1e-40);
  }
}

TEST(Bfloat16, ScalesBeforeItRounds) {
  const std::vector<float> in = {1.1F, -2.2F, 3.3F, 4.4F, -5.5F, 6.6F, 7.7F, 8.8F};
  std::vector<float> scaled = in;
  for (float& x : scaled) x *= 0.3F;
  EXPECT_EQ(rounded(in, 0.3F), rounded(scaled));
}

}  // namespace
}  // namespace divns
