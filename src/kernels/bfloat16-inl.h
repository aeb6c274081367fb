// SPDX-License-Identifier: Apache-2.0
// Shared by the kernels that write bfloat16. Included once per Highway target, hence the guard that
// toggles.
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

// The word whose upper half is the bfloat16 nearest to a float32: adding half a unit of the kept
// half, or a bit less where that half is even, carries into it just where the value rounds up.
template <class D, class W>
HWY_INLINE W rounded_word(D words, W word) {
  const auto odd = hn::And(hn::ShiftRight<16>(word), hn::Set(words, 1U));
  return hn::Add(word, hn::Add(hn::Set(words, 0x7FFFU), odd));
}

HWY_INLINE void round_row(const float* HWY_RESTRICT in, size_t count, uint16_t* HWY_RESTRICT out) {
  const hn::CappedTag<uint32_t, 8> d;
  const hn::Rebind<uint16_t, decltype(d)> half;
  const auto* words = reinterpret_cast<const uint32_t*>(in);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto rounded = rounded_word(d, hn::LoadU(d, words + i));
    hn::StoreU(hn::TruncateTo(half, hn::ShiftRight<16>(rounded)), half, out + i);
  }
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
