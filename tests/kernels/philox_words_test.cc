// SPDX-License-Identifier: Apache-2.0
#include "kernels/philox_words.h"

#include <gtest/gtest.h>

#include <vector>

namespace divns {
namespace {

TEST(PhiloxWords, AreThoseOfTheReference) {
  const std::array<uint32_t, 2> key = {0xa4093822U, 0x299f31d0U};
  const uint64_t overflow = uint64_t{1} << 32;  // of the counter's lower word
  for (const uint64_t first :
       {uint64_t{0}, uint64_t{5}, overflow - 20, 3 * overflow - 1, 3 * overflow})
    for (size_t blocks = 0; blocks < 40; ++blocks) {
      std::vector<uint32_t> words(4 * blocks);
      std::vector<uint32_t> expected(4 * blocks);
      philox_words(key, first, words);
      reference::philox_words(key, first, expected);
      ASSERT_EQ(words, expected) << first << " " << blocks;
    }
}

}  // namespace
}  // namespace divns
