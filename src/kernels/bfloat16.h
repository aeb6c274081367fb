// SPDX-License-Identifier: Apache-2.0
// Vectors with 16 bits per column: two columns per 32-bit word, each with the eight significant
// bits of a bfloat16 (the upper half of a float32).
//   The even column is the lower half of the word, rounded to nearest, ties away from zero.
//   The odd column is the whole word, read as a float32. Its lower bits belong to the even
//   column; the upper half is chosen so that the word is nearest to the value. The error is at most
//   that of a bfloat16, half a unit of the eighth bit, and reading it needs no mask.
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// Word i of `out` holds scale * in[2 i] and scale * in[2 i + 1]. Values must be finite; `count` is
// the number of values, a multiple of 8.
void round_to_pairs(float scale, const float* in, size_t count, uint32_t* out);

namespace reference {
uint32_t round_to_pair(float even, float odd);
float even_of_pair(uint32_t word);
float odd_of_pair(uint32_t word);
}  // namespace reference
}  // namespace divns
