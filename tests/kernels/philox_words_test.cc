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

TEST(PhiloxBlocks, AreThoseOfTheReference) {
  const std::array<uint32_t, 2> key = {0xa4093822U, 0x299f31d0U};
  for (const size_t each : {1U, 2U, 4U, 32U})
    for (const uint32_t b : {0U, 7U, UINT32_MAX - 3})
      for (size_t rows = 0; rows < 20; ++rows) {
        std::vector<Draws::Words> blocks(rows * each);
        std::vector<Draws::Words> expected(rows * each);
        philox_blocks(key, 3, b, each, blocks);
        reference::philox_blocks(key, 3, b, each, expected);
        ASSERT_EQ(blocks, expected) << each << " " << b << " " << rows;
      }
}

// Past the blocks that were made beforehand the sequence goes on as if there had been none.
TEST(PhiloxBlocks, BeginASequenceOfDraws) {
  const Random random(5, "blocks");
  for (const size_t each : {0U, 1U, 4U}) {
    std::vector<Draws::Words> blocks(each);
    if (each > 0) philox_blocks(random.key(), 2, 9, each, blocks);
    Draws ready = random.draws(2, 9, 0, blocks);
    Draws plain = random.draws(2, 9);
    for (int i = 0; i < 40; ++i) ASSERT_EQ(ready.u32(), plain.u32()) << each << " " << i;
  }
}

}  // namespace
}  // namespace divns
