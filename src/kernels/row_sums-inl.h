// SPDX-License-Identifier: Apache-2.0
// Horizontal sums of several vectors at once. Included once for each target, so the guard toggles.
#if defined(DIVNS_KERNELS_ROW_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIVNS_KERNELS_ROW_SUMS_INL_H_
#undef DIVNS_KERNELS_ROW_SUMS_INL_H_
#else
#define DIVNS_KERNELS_ROW_SUMS_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
#define DIVNS_FOLD_ONE_BY_ONE 1
#else
#define DIVNS_FOLD_ONE_BY_ONE 0
// Sums of neighbouring lanes: those of `a` in the lower half, those of `b` in the upper half.
template <class D, class V>
HWY_INLINE V pair_sums(D tag, V a, V b) {
  return hn::Add(hn::ConcatEven(tag, b, a), hn::ConcatOdd(tag, b, a));
}

#endif

// out[0..4) = the sums over lanes of a0 .. a3.
template <class D, class V>
HWY_INLINE void store_sums4(D tag, V a0, V a1, V a2, V a3, hn::TFromD<D>* HWY_RESTRICT out) {
#if DIVNS_FOLD_ONE_BY_ONE
  out[0] = hn::GetLane(hn::SumOfLanes(tag, a0));
  out[1] = hn::GetLane(hn::SumOfLanes(tag, a1));
  out[2] = hn::GetLane(hn::SumOfLanes(tag, a2));
  out[3] = hn::GetLane(hn::SumOfLanes(tag, a3));
#else
  if constexpr (hn::MaxLanes(D()) == 2) {
    hn::StoreU(pair_sums(tag, a0, a1), tag, out);
    hn::StoreU(pair_sums(tag, a2, a3), tag, out + 2);
  } else {
    const V quads = pair_sums(tag, pair_sums(tag, a0, a1), pair_sums(tag, a2, a3));
    if constexpr (hn::MaxLanes(D()) == 4) {
      hn::StoreU(quads, tag, out);
    } else {
      static_assert(hn::MaxLanes(D()) == 8);
      const hn::Half<D> half;
      hn::StoreU(hn::LowerHalf(half, pair_sums(tag, quads, quads)), half, out);
    }
  }
#endif
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#undef DIVNS_FOLD_ONE_BY_ONE

#endif
