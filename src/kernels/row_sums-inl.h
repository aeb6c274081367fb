// SPDX-License-Identifier: Apache-2.0
// Horizontal sums of several vectors at once. Included once per target, therefore the toggling
// guard.
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

// At most 256 bits, the widths that store_sums4 supports.
using Floats = hn::CappedTag<float, 8>;
using Doubles = hn::CappedTag<double, 4>;

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

// out[0..4) = the sums over lanes of a0 .. a3.
template <class D, class V>
HWY_INLINE void store_sums4(D tag, V a0, V a1, V a2, V a3, hn::TFromD<D>* HWY_RESTRICT out) {
  out[0] = hn::GetLane(hn::SumOfLanes(tag, a0));
  out[1] = hn::GetLane(hn::SumOfLanes(tag, a1));
  out[2] = hn::GetLane(hn::SumOfLanes(tag, a2));
  out[3] = hn::GetLane(hn::SumOfLanes(tag, a3));
}

#else

// Within each 128-bit block: the sums of the two halves of a, then those of b.
template <class D, class V>
HWY_INLINE V sum_halves(D tag, V a, V b) {
  return hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
}

// Adds the one or two 128-bit blocks of a vector and stores the sum.
template <class D, class V>
HWY_INLINE void store_block_sum(D tag, V v, hn::TFromD<D>* HWY_RESTRICT out) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 16) {
    hn::StoreU(v, tag, out);
  } else {
    const hn::Half<D> half;
    hn::StoreU(hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), half, out);
  }
}

template <class V>
HWY_INLINE void store_sums4(Floats tag, V a0, V a1, V a2, V a3, float* HWY_RESTRICT out) {
  const hn::Repartition<double, Floats> pairs;
  const auto low = hn::BitCast(pairs, sum_halves(tag, a0, a1));
  const auto high = hn::BitCast(pairs, sum_halves(tag, a2, a3));
  store_block_sum(tag,
                  hn::Add(hn::BitCast(tag, hn::InterleaveLower(pairs, low, high)),
                          hn::BitCast(tag, hn::InterleaveUpper(pairs, low, high))),
                  out);
}

template <class V>
HWY_INLINE void store_sums4(Doubles tag, V a0, V a1, V a2, V a3, double* HWY_RESTRICT out) {
  store_block_sum(tag, sum_halves(tag, a0, a1), out);
  store_block_sum(tag, sum_halves(tag, a2, a3), out + 2);
}

#endif

HWY_INLINE auto load_as(Floats tag, const float* p) {
  return hn::Load(tag, p);
}
HWY_INLINE auto load_as(Doubles tag, const double* p) {
  return hn::Load(tag, p);
}
HWY_INLINE auto load_as(Doubles tag, const float* p) {
  return hn::PromoteTo(tag, hn::Load(hn::Rebind<float, Doubles>(), p));
}

// Inner products of x with four rows. Two accumulators per row hide the latency of the fused
// multiply-add, and x is read once for four rows.
template <class D, class Row, class X>
HWY_INLINE void dots4(D tag, const Row* r0, const Row* r1, const Row* r2, const Row* r3,
                      size_t width, const X* HWY_RESTRICT x, X* HWY_RESTRICT out) {
  const size_t lanes = hn::Lanes(tag);
  auto a0 = hn::Zero(tag), a1 = hn::Zero(tag), a2 = hn::Zero(tag), a3 = hn::Zero(tag);
  auto b0 = hn::Zero(tag), b1 = hn::Zero(tag), b2 = hn::Zero(tag), b3 = hn::Zero(tag);
  for (size_t c = 0; c < width; c += 2 * lanes) {
    const auto xa = hn::Load(tag, x + c);
    const auto xb = hn::Load(tag, x + c + lanes);
    a0 = hn::MulAdd(load_as(tag, r0 + c), xa, a0);
    a1 = hn::MulAdd(load_as(tag, r1 + c), xa, a1);
    a2 = hn::MulAdd(load_as(tag, r2 + c), xa, a2);
    a3 = hn::MulAdd(load_as(tag, r3 + c), xa, a3);
    b0 = hn::MulAdd(load_as(tag, r0 + c + lanes), xb, b0);
    b1 = hn::MulAdd(load_as(tag, r1 + c + lanes), xb, b1);
    b2 = hn::MulAdd(load_as(tag, r2 + c + lanes), xb, b2);
    b3 = hn::MulAdd(load_as(tag, r3 + c + lanes), xb, b3);
  }
  store_sums4(tag, hn::Add(a0, b0), hn::Add(a1, b1), hn::Add(a2, b2), hn::Add(a3, b3), out);
}

// row(i) is the address of the i-th of n rows. The last group repeats its last row.
template <class D, class X, class RowOf>
HWY_INLINE void all_dots(D tag, RowOf&& row, size_t width, size_t n, const X* HWY_RESTRICT x,
                         X* HWY_RESTRICT out) {
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    dots4(tag, row(i), row(i + 1), row(i + 2), row(i + 3), width, x, out + i);
  if (i == n) return;
  X last[4];
  const size_t end = n - 1;
  dots4(tag, row(i), row(HWY_MIN(i + 1, end)), row(HWY_MIN(i + 2, end)), row(end), width, x, last);
  for (size_t j = 0; i + j < n; ++j) out[i + j] = last[j];
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
