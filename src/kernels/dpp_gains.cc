// SPDX-License-Identifier: Apache-2.0
#include "kernels/dpp_gains.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dpp_gains.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/row_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {

void SubtractCombination(double* HWY_RESTRICT y, size_t width, const double* HWY_RESTRICT w,
                         size_t count, const double* HWY_RESTRICT coefficient) {
  const Doubles tag;
  const size_t lanes = hn::Lanes(tag);
  for (size_t c = 0; c < width; c += 4 * lanes) {
    auto y0 = hn::Load(tag, y + c), y1 = hn::Load(tag, y + c + lanes);
    auto y2 = hn::Load(tag, y + c + 2 * lanes), y3 = hn::Load(tag, y + c + 3 * lanes);
    for (size_t s = 0; s < count; ++s) {
      const double* const ws = w + s * width + c;
      const auto a = hn::Set(tag, coefficient[s]);
      y0 = hn::NegMulAdd(a, hn::Load(tag, ws), y0);
      y1 = hn::NegMulAdd(a, hn::Load(tag, ws + lanes), y1);
      y2 = hn::NegMulAdd(a, hn::Load(tag, ws + 2 * lanes), y2);
      y3 = hn::NegMulAdd(a, hn::Load(tag, ws + 3 * lanes), y3);
    }
    hn::Store(y0, tag, y + c);
    hn::Store(y1, tag, y + c + lanes);
    hn::Store(y2, tag, y + c + 2 * lanes);
    hn::Store(y3, tag, y + c + 3 * lanes);
  }
}

void SubtractSquares(double* HWY_RESTRICT residual, const double* HWY_RESTRICT value, size_t n) {
  const Doubles tag;
  const size_t lanes = hn::Lanes(tag);
  const auto zero = hn::Zero(tag);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto old = hn::LoadU(tag, residual + i);
    const auto v = hn::LoadU(tag, value + i);
    const auto left = hn::Max(hn::NegMulAdd(v, v, old), zero);
    hn::StoreU(hn::IfThenElse(hn::Gt(old, zero), left, old), tag, residual + i);
  }
  const hn::CappedTag<double, 1> one;
  for (; i < n; ++i) {
    if (!(residual[i] > 0)) continue;
    // Fused like the others, so that a row's position does not change its bits.
    const auto v = hn::Set(one, value[i]);
    residual[i] = HWY_MAX(hn::GetLane(hn::NegMulAdd(v, v, hn::Set(one, residual[i]))), 0.0);
  }
}

// Four rows of M by two vectors of columns stay in registers while all w_s are applied.
void SubtractOuterProducts(double* HWY_RESTRICT m, size_t width, const double* HWY_RESTRICT w,
                           size_t count) {
  const Doubles tag;
  const size_t lanes = hn::Lanes(tag);
  for (size_t r = 0; r < width; r += 4) {
    for (size_t c = 0; c < width; c += 2 * lanes) {
      double* const at = m + r * width + c;
      auto a0 = hn::Load(tag, at), b0 = hn::Load(tag, at + lanes);
      auto a1 = hn::Load(tag, at + width), b1 = hn::Load(tag, at + width + lanes);
      auto a2 = hn::Load(tag, at + 2 * width), b2 = hn::Load(tag, at + 2 * width + lanes);
      auto a3 = hn::Load(tag, at + 3 * width), b3 = hn::Load(tag, at + 3 * width + lanes);
      for (size_t s = 0; s < count; ++s) {
        const double* const ws = w + s * width;
        const auto wa = hn::Load(tag, ws + c), wb = hn::Load(tag, ws + c + lanes);
        const auto w0 = hn::Set(tag, ws[r]), w1 = hn::Set(tag, ws[r + 1]);
        const auto w2 = hn::Set(tag, ws[r + 2]), w3 = hn::Set(tag, ws[r + 3]);
        a0 = hn::NegMulAdd(w0, wa, a0);
        b0 = hn::NegMulAdd(w0, wb, b0);
        a1 = hn::NegMulAdd(w1, wa, a1);
        b1 = hn::NegMulAdd(w1, wb, b1);
        a2 = hn::NegMulAdd(w2, wa, a2);
        b2 = hn::NegMulAdd(w2, wb, b2);
        a3 = hn::NegMulAdd(w3, wa, a3);
        b3 = hn::NegMulAdd(w3, wb, b3);
      }
      hn::Store(a0, tag, at);
      hn::Store(b0, tag, at + lanes);
      hn::Store(a1, tag, at + width);
      hn::Store(b1, tag, at + width + lanes);
      hn::Store(a2, tag, at + 2 * width);
      hn::Store(b2, tag, at + 2 * width + lanes);
      hn::Store(a3, tag, at + 3 * width);
      hn::Store(b3, tag, at + 3 * width + lanes);
    }
  }
}

// Quadratic forms of four rows. For each block of 16 columns (in pieces of two vectors): the
// products with the folded rows below the block's start, then their inner product with that block
// of b.
HWY_INLINE void forms4(const float* b0, const float* b1, const float* b2, const float* b3,
                       size_t width, const float* HWY_RESTRICT folded, float* HWY_RESTRICT out) {
  const Floats tag;
  const size_t lanes = hn::Lanes(tag);
  auto s0 = hn::Zero(tag), s1 = hn::Zero(tag), s2 = hn::Zero(tag), s3 = hn::Zero(tag);
  for (size_t block = 0; block < width; block += 16) {
    for (size_t j = block; j < block + 16; j += 2 * lanes) {
      auto p0 = hn::Zero(tag), p1 = hn::Zero(tag), p2 = hn::Zero(tag), p3 = hn::Zero(tag);
      auto q0 = hn::Zero(tag), q1 = hn::Zero(tag), q2 = hn::Zero(tag), q3 = hn::Zero(tag);
      for (size_t c = block; c < width; ++c) {
        const auto ma = hn::Load(tag, folded + c * width + j);
        const auto mb = hn::Load(tag, folded + c * width + j + lanes);
        const auto x0 = hn::Set(tag, b0[c]), x1 = hn::Set(tag, b1[c]);
        const auto x2 = hn::Set(tag, b2[c]), x3 = hn::Set(tag, b3[c]);
        p0 = hn::MulAdd(x0, ma, p0);
        q0 = hn::MulAdd(x0, mb, q0);
        p1 = hn::MulAdd(x1, ma, p1);
        q1 = hn::MulAdd(x1, mb, q1);
        p2 = hn::MulAdd(x2, ma, p2);
        q2 = hn::MulAdd(x2, mb, q2);
        p3 = hn::MulAdd(x3, ma, p3);
        q3 = hn::MulAdd(x3, mb, q3);
      }
      s0 = hn::MulAdd(p0, hn::Load(tag, b0 + j), s0);
      s1 = hn::MulAdd(p1, hn::Load(tag, b1 + j), s1);
      s2 = hn::MulAdd(p2, hn::Load(tag, b2 + j), s2);
      s3 = hn::MulAdd(p3, hn::Load(tag, b3 + j), s3);
      s0 = hn::MulAdd(q0, hn::Load(tag, b0 + j + lanes), s0);
      s1 = hn::MulAdd(q1, hn::Load(tag, b1 + j + lanes), s1);
      s2 = hn::MulAdd(q2, hn::Load(tag, b2 + j + lanes), s2);
      s3 = hn::MulAdd(q3, hn::Load(tag, b3 + j + lanes), s3);
    }
  }
  store_sums4(tag, s0, s1, s2, s3, out);
}

void QuadraticForms(const float* rows, size_t width, const uint32_t* index, size_t n,
                    const float* folded, float* out) {
  for (size_t i = 0; i < n; i += 4) {
    const auto row = [=](size_t j) HWY_ATTR { return rows + index[HWY_MIN(i + j, n - 1)] * width; };
    float sums[4];
    forms4(row(0), row(1), row(2), row(3), width, folded, sums);
    for (size_t j = 0; j < 4 && i + j < n; ++j) out[i + j] = sums[j];
  }
}

float SubtractSquaredDots(const float* rows, size_t width, const uint32_t* index, size_t n,
                          const float* w, float* residual) {
  constexpr size_t kChunk = 64;
  const Floats tag;
  const size_t lanes = hn::Lanes(tag);
  HWY_ALIGN float dots[kChunk];
  auto largest = hn::Set(tag, -std::numeric_limits<float>::infinity());
  float last = -std::numeric_limits<float>::infinity();
  for (size_t begin = 0; begin < n; begin += kChunk) {
    const size_t count = HWY_MIN(kChunk, n - begin);
    const uint32_t* const at = index + begin;
    float* const left = residual + begin;
    all_dots(
        tag, [=](size_t i) HWY_ATTR { return rows + at[i] * width; }, width, count, w, dots);
    size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const auto dot = hn::Load(tag, dots + i);
      const auto value = hn::NegMulAdd(dot, dot, hn::LoadU(tag, left + i));
      hn::StoreU(value, tag, left + i);
      largest = hn::Max(largest, value);
    }
    for (; i < count; ++i) {
      left[i] -= dots[i] * dots[i];
      last = HWY_MAX(last, left[i]);
    }
  }
  // Lane by lane: without rows the maximum must be -infinity, which MaxOfLanes does not return on
  // every target.
  alignas(64) float by_lane[hn::MaxLanes(Floats())];
  hn::Store(largest, tag, by_lane);
  for (size_t i = 0; i < lanes; ++i) last = HWY_MAX(last, by_lane[i]);
  return last;
}

size_t SelectAbove(const float* values, size_t n, float threshold, uint32_t* out) {
  const Floats tag;
  const hn::Rebind<uint32_t, Floats> whole;
  const size_t lanes = hn::Lanes(tag);
  const auto limit = hn::Set(tag, threshold);
  size_t count = 0, i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto above = hn::Gt(hn::LoadU(tag, values + i), limit);
    if (hn::AllFalse(tag, above)) continue;
    const auto places = hn::Iota(whole, static_cast<uint32_t>(i));
    count += hn::CompressStore(places, hn::RebindMask(whole, above), whole, out + count);
  }
  for (; i < n; ++i)
    if (values[i] > threshold) out[count++] = static_cast<uint32_t>(i);
  return count;
}

void CatchUp(const float* rows, size_t width, const uint32_t* index, size_t n,
             const float* HWY_RESTRICT history, uint32_t count, float enough, uint32_t* version,
             float* residual) {
  for (size_t i = 0; i < n; ++i) {
    const float* const b = rows + index[i] * width;
    uint32_t s = version[i];
    float left = residual[i];
    while (s < count && left > enough) {
      const float* const w = history + s * width;
      float dots[4];
      dots4(Floats(), w, w + width, w + 2 * width, w + 3 * width, width, b, dots);
      left -= (dots[0] * dots[0] + dots[1] * dots[1]) + (dots[2] * dots[2] + dots[3] * dots[3]);
      s = HWY_MIN(s + 4, count);
    }
    version[i] = s;
    residual[i] = left;
  }
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(SubtractCombination);
HWY_EXPORT(SubtractSquares);
HWY_EXPORT(SubtractOuterProducts);
HWY_EXPORT(SubtractSquaredDots);
HWY_EXPORT(SelectAbove);
HWY_EXPORT(QuadraticForms);
HWY_EXPORT(CatchUp);

void subtract_combination(double* y, size_t width, const double* w, size_t count,
                          const double* coefficient) {
  HWY_DYNAMIC_DISPATCH(SubtractCombination)(y, width, w, count, coefficient);
}

void subtract_squares(double* residual, const double* value, size_t n) {
  HWY_DYNAMIC_DISPATCH(SubtractSquares)(residual, value, n);
}

float subtract_squared_dots(const float* rows, size_t width, const uint32_t* index, size_t n,
                            const float* w, float* residual) {
  return HWY_DYNAMIC_DISPATCH(SubtractSquaredDots)(rows, width, index, n, w, residual);
}

size_t select_above(const float* values, size_t n, float threshold, uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(SelectAbove)(values, n, threshold, out);
}

void subtract_outer_products(double* m, size_t width, const double* w, size_t count) {
  HWY_DYNAMIC_DISPATCH(SubtractOuterProducts)(m, width, w, count);
}

void fold_symmetric(const double* m, size_t width, float* folded) {
  for (size_t c = 0; c < width; ++c) {
    const size_t block = c / 16 * 16;
    for (size_t j = 0; j < block; ++j)
      folded[c * width + j] = static_cast<float>(2 * m[c * width + j]);
    for (size_t j = block; j < block + 16; ++j)
      folded[c * width + j] = static_cast<float>(m[c * width + j]);
  }
}

void quadratic_forms(const float* rows, size_t width, const uint32_t* index, size_t n,
                     const float* folded, float* out) {
  HWY_DYNAMIC_DISPATCH(QuadraticForms)(rows, width, index, n, folded, out);
}

void catch_up(const float* rows, size_t width, const uint32_t* index, size_t n,
              const float* history, uint32_t count, float enough, uint32_t* version,
              float* residual) {
  HWY_DYNAMIC_DISPATCH(CatchUp)
  (rows, width, index, n, history, count, enough, version, residual);
}

namespace reference {

void subtract_outer_products(double* m, size_t width, const double* w, size_t count) {
  for (size_t s = 0; s < count; ++s)
    for (size_t r = 0; r < width; ++r)
      for (size_t c = 0; c < width; ++c) m[r * width + c] -= w[s * width + r] * w[s * width + c];
}

double quadratic_form(const float* b, const double* m, size_t width) {
  double sum = 0;
  for (size_t r = 0; r < width; ++r)
    for (size_t c = 0; c < width; ++c)
      sum += static_cast<double>(b[r]) * m[r * width + c] * static_cast<double>(b[c]);
  return sum;
}

}  // namespace reference
}  // namespace divns
#endif
