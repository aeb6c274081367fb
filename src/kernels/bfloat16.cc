// SPDX-License-Identifier: Apache-2.0
#include "kernels/bfloat16.h"

#include <bit>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bfloat16.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/bfloat16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {

// Columns [begin, end), a multiple of two vectors.
template <class D>
HWY_INLINE void round_columns(D d, float scale, const float* HWY_RESTRICT in, size_t begin,
                              size_t end, uint32_t* HWY_RESTRICT out) {
  const hn::RebindToUnsigned<D> words;
  const auto factor = hn::Set(d, scale);
  for (size_t i = begin; i < end; i += 2 * hn::Lanes(d)) {
    hn::Vec<D> even, odd;
    hn::LoadInterleaved2(d, in + i, even, odd);
    hn::StoreU(pair_words(d, hn::Mul(factor, even), hn::Mul(factor, odd)), words, out + i / 2);
  }
}

void round_to_pairs(float scale, const float* in, size_t count, uint32_t* out) {
  const hn::CappedTag<float, 8> wide;
  const hn::CappedTag<float, 4> narrow;
  const size_t split = count - count % (2 * hn::Lanes(wide));
  round_columns(wide, scale, in, 0, split, out);
  round_columns(narrow, scale, in, split, count, out);
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(round_to_pairs);

void round_to_pairs(float scale, const float* in, size_t count, uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(round_to_pairs)(scale, in, count, out);
}

namespace reference {
namespace {

// Among the words with a given lower half: the one just below the value in magnitude or the next
// one, whichever is nearer; the next one in a tie.
uint32_t nearest_word(float value, uint32_t below) {
  const uint32_t above = below + 0x10000U;
  const auto distance = [&](uint32_t word) {
    return std::abs(double{std::bit_cast<float>(word)} - double{value});
  };
  return distance(below) < distance(above) ? below : above;
}

}  // namespace

uint32_t round_to_pair(float even, float odd) {
  const uint32_t lower = nearest_word(even, std::bit_cast<uint32_t>(even) & 0xFFFF0000U) >> 16;
  const uint32_t bits = std::bit_cast<uint32_t>(odd);
  const uint32_t sign = bits & 0x80000000U;
  const uint32_t magnitude = bits ^ sign;
  if (magnitude < lower) return sign | lower;  // no word with this lower half is smaller
  return nearest_word(odd, sign | ((magnitude - lower) & 0xFFFF0000U) | lower);
}

float even_of_pair(uint32_t word) {
  return std::bit_cast<float>(word << 16);
}

float odd_of_pair(uint32_t word) {
  return std::bit_cast<float>(word);
}

}  // namespace reference
}  // namespace divns
#endif
