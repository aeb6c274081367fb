// SPDX-License-Identifier: Apache-2.0
// Shared by the kernels that read and write the words of bfloat16.h. Included once per Highway
// target, therefore the toggling guard.
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

template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> pair_words(D, hn::Vec<D> even, hn::Vec<D> odd) {
  const hn::RebindToUnsigned<D> words;
  const auto half_unit = hn::Set(words, 0x8000U);
  const auto lower = hn::ShiftRight<16>(hn::Add(hn::BitCast(words, even), half_unit));
  // The magnitude minus the value of the lower half, or zero if that would be negative.
  const auto odd_bits = hn::BitCast(words, odd);
  const auto magnitude = hn::And(odd_bits, hn::Set(words, 0x7FFFFFFFU));
  const auto rest = hn::Sub(hn::Max(hn::Add(magnitude, half_unit), lower), lower);
  const auto upper = hn::And(rest, hn::Set(words, 0xFFFF0000U));
  return hn::Or(hn::Or(upper, lower), hn::Xor(odd_bits, magnitude));
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
