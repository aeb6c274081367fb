// SPDX-License-Identifier: Apache-2.0
#include "kernels/row_dots.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_dots.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/row_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {

// At most eight floats or four doubles: 256 bits, what store_sums4 knows how to fold.
using Floats = hn::CappedTag<float, 8>;
using Doubles = hn::CappedTag<double, 4>;

HWY_INLINE auto load_as(Floats tag, const float* p) {
  return hn::Load(tag, p);
}
HWY_INLINE auto load_as(Doubles tag, const double* p) {
  return hn::Load(tag, p);
}
HWY_INLINE auto load_as(Doubles tag, const float* p) {
  return hn::PromoteTo(tag, hn::Load(hn::Rebind<float, Doubles>(), p));
}

// Four rows at a time, two chains of sums each: enough independent work to hide the latency of a
// fused multiply-add, and x is read once for four rows.
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

// row(i) gives the address of the i-th row. The last group repeats its last row.
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
  for (size_t j = 0; i + j < n; ++j) out[i + j] = last[i + j == end ? 3 : j];
}

void RowDotsFloat(const float* rows, size_t stride, size_t n, const float* x, float* out) {
  all_dots(
      Floats(), [=](size_t i) HWY_ATTR { return rows + i * stride; }, stride, n, x, out);
}
void RowDotsMixed(const float* rows, size_t stride, size_t n, const double* x, double* out) {
  all_dots(
      Doubles(), [=](size_t i) HWY_ATTR { return rows + i * stride; }, stride, n, x, out);
}
void RowDotsDouble(const double* rows, size_t stride, size_t n, const double* x, double* out) {
  all_dots(
      Doubles(), [=](size_t i) HWY_ATTR { return rows + i * stride; }, stride, n, x, out);
}
void GatheredRowDots(const float* rows, size_t stride, const uint32_t* index, size_t n,
                     const float* x, float* out) {
  all_dots(
      Floats(), [=](size_t i) HWY_ATTR { return rows + index[i] * stride; }, stride, n, x, out);
}

void RowSquares(const float* rows, size_t stride, size_t n, double* out) {
  const Doubles tag;
  const size_t lanes = hn::Lanes(tag);
  for (size_t i = 0; i < n; ++i) {
    const float* const row = rows + i * stride;
    auto a = hn::Zero(tag), b = hn::Zero(tag);
    for (size_t c = 0; c < stride; c += 2 * lanes) {
      const auto x = load_as(tag, row + c), y = load_as(tag, row + c + lanes);
      a = hn::MulAdd(x, x, a);
      b = hn::MulAdd(y, y, b);
    }
    out[i] = hn::GetLane(hn::SumOfLanes(tag, hn::Add(a, b)));
  }
}

void ScaleRows(float* rows, size_t stride, size_t n, const float* scale) {
  const Floats tag;
  for (size_t i = 0; i < n; ++i) {
    const auto factor = hn::Set(tag, scale[i]);
    float* const row = rows + i * stride;
    for (size_t c = 0; c < stride; c += hn::Lanes(tag))
      hn::Store(hn::Mul(factor, hn::Load(tag, row + c)), tag, row + c);
  }
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(RowDotsFloat);
HWY_EXPORT(RowDotsMixed);
HWY_EXPORT(RowDotsDouble);
HWY_EXPORT(GatheredRowDots);
HWY_EXPORT(RowSquares);
HWY_EXPORT(ScaleRows);

void row_dots(const float* rows, size_t stride, size_t n, const float* x, float* out) {
  HWY_DYNAMIC_DISPATCH(RowDotsFloat)(rows, stride, n, x, out);
}
void row_dots(const float* rows, size_t stride, size_t n, const double* x, double* out) {
  HWY_DYNAMIC_DISPATCH(RowDotsMixed)(rows, stride, n, x, out);
}
void row_dots(const double* rows, size_t stride, size_t n, const double* x, double* out) {
  HWY_DYNAMIC_DISPATCH(RowDotsDouble)(rows, stride, n, x, out);
}
void gathered_row_dots(const float* rows, size_t stride, const uint32_t* index, size_t n,
                       const float* x, float* out) {
  HWY_DYNAMIC_DISPATCH(GatheredRowDots)(rows, stride, index, n, x, out);
}
void row_squares(const float* rows, size_t stride, size_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(RowSquares)(rows, stride, n, out);
}
void scale_rows(float* rows, size_t stride, size_t n, const float* scale) {
  HWY_DYNAMIC_DISPATCH(ScaleRows)(rows, stride, n, scale);
}

}  // namespace divns
#endif
