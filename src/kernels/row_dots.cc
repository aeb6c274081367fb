// SPDX-License-Identifier: Apache-2.0
#include "kernels/row_dots.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_dots.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/row_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {

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
