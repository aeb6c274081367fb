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

// Adding half a unit of the kept half, or a bit less where that half is even, carries into it just
// where the value rounds up.
HWY_INLINE void round_row(const float* HWY_RESTRICT in, size_t count, uint16_t* HWY_RESTRICT out) {
  const hn::CappedTag<uint32_t, 8> d;
  const hn::Rebind<uint16_t, decltype(d)> half;
  const auto bias = hn::Set(d, 0x7FFFU);
  const auto one = hn::Set(d, 1U);
  const auto* words = reinterpret_cast<const uint32_t*>(in);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto word = hn::LoadU(d, words + i);
    const auto odd = hn::And(hn::ShiftRight<16>(word), one);
    const auto rounded = hn::ShiftRight<16>(hn::Add(word, hn::Add(bias, odd)));
    hn::StoreU(hn::TruncateTo(half, rounded), half, out + i);
  }
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
