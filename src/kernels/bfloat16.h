// SPDX-License-Identifier: Apache-2.0
// Vectors in half the bytes: two columns in a word of 32 bits, each with the eight significant bits
// of a bfloat16, which is the upper half of a float32.
//   The even column is in the lower half of the word, rounded to the nearest, ties away
//   from zero.
//   The odd column is the whole word, read as a float32. Its lower bits are given by the even
//   column; the upper half is chosen such that the word is nearest. So it is as near as a bfloat16
//   would be, half a unit of the eighth bit at most, and costs nothing to read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// Word i of `out` holds scale * in[2 i] and scale * in[2 i + 1]. Finite values; count, of values,
// is a multiple of 8.
void round_to_pairs(float scale, const float* in, size_t count, uint32_t* out);

namespace reference {
uint32_t round_to_pair(float even, float odd);
float even_of_pair(uint32_t word);
float odd_of_pair(uint32_t word);
}  // namespace reference
}  // namespace divns
