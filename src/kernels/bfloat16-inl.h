// SPDX-License-Identifier: Apache-2.0
// Shared by the kernels that read and write the words of bfloat16.h. Included once per Highway
// target, hence the guard that toggles.
#if defined(DIVNS_KERNELS_BFLOAT16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIVNS_KERNELS_BFLOAT16_INL_H_
#undef DIVNS_KERNELS_BFLOAT16_INL_H_
#else
#define DIVNS_KERNELS_BFLOAT16_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> even_columns(D d, hn::Vec<hn::RebindToUnsigned<D>> words) {
  return hn::BitCast(d, hn::ShiftLeft<16>(words));
}
template <class D>
HWY_INLINE hn::Vec<D> odd_columns(D d, hn::Vec<hn::RebindToUnsigned<D>> words) {
  return hn::BitCast(d, words);
}

// The columns from `first` on, a multiple of the lanes of `d`, in their order.
template <class D>
HWY_INLINE hn::Vec<D> load_columns(D d, const uint32_t* words, size_t first) {
  if constexpr (hn::MaxLanes(D()) == 1) {
    const auto word = hn::Set(hn::RebindToUnsigned<D>(), words[first / 2]);
    return first % 2 == 0 ? even_columns(d, word) : odd_columns(d, word);
  } else {
    const hn::Repartition<uint64_t, D> pairs;
    const hn::Rebind<uint32_t, decltype(pairs)> single;
    const auto word = hn::PromoteTo(pairs, hn::LoadU(single, words + first / 2));
    const auto even = hn::And(hn::ShiftLeft<16>(word), hn::Set(pairs, 0xFFFF0000U));
    return hn::BitCast(d, hn::Or(hn::ShiftLeft<32>(word), even));
  }
}

template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> pair_words(D, hn::Vec<D> even, hn::Vec<D> odd) {
  const hn::RebindToUnsigned<D> words;
  const auto half_unit = hn::Set(words, 0x8000U);
  const auto lower = hn::ShiftRight<16>(hn::Add(hn::BitCast(words, even), half_unit));
  // The magnitude without what the lower half adds, or zero where that is more.
  const auto odd_bits = hn::BitCast(words, odd);
  const auto magnitude = hn::And(odd_bits, hn::Set(words, 0x7FFFFFFFU));
  const auto rest = hn::Sub(hn::Max(hn::Add(magnitude, half_unit), lower), lower);
  const auto upper = hn::And(rest, hn::Set(words, 0xFFFF0000U));
  return hn::Or(hn::Or(upper, lower), hn::Xor(odd_bits, magnitude));
}

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

HWY_INLINE void round_row(float scale, const float* in, size_t count, uint32_t* out) {
  const hn::CappedTag<float, 8> wide;
  const hn::CappedTag<float, 4> narrow;
  const size_t split = count - count % (2 * hn::Lanes(wide));
  round_columns(wide, scale, in, 0, split, out);
  round_columns(narrow, scale, in, split, count, out);
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
