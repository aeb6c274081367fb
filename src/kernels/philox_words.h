// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "divns/random.h"

namespace divns {

// out[4 b + k] is word k of the Philox4x32-10 block at counter (low, high, 0, 0), where low and
// high are the halves of first_block + b. Computes one block per vector lane. The number of words
// must be a multiple of four.
void philox_words(std::array<uint32_t, 2> key, uint64_t first_block, std::span<uint32_t> out);

// The first blocks of many draw sequences, at coordinates (a, b, 0, .), (a, b + 1, 0, .) and so on:
// out[i * each + k] is the block at (a, b + i, 0, k). `each` must be a power of two.
void philox_blocks(std::array<uint32_t, 2> key, uint32_t a, uint32_t b, size_t each,
                   std::span<Draws::Words> out);

namespace reference {
inline void philox_words(std::array<uint32_t, 2> key, uint64_t first_block,
                         std::span<uint32_t> out) {
  for (size_t i = 0; i < out.size(); ++i) {
    const uint64_t block = first_block + i / 4;
    out[i] = philox({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), 0, 0},
                    key)[i % 4];
  }
}
inline void philox_blocks(std::array<uint32_t, 2> key, uint32_t a, uint32_t b, size_t each,
                          std::span<Draws::Words> out) {
  for (size_t i = 0; i < out.size(); ++i)
    out[i] =
        philox({a, b + static_cast<uint32_t>(i / each), 0, static_cast<uint32_t>(i % each)}, key);
}
}  // namespace reference

}  // namespace divns
