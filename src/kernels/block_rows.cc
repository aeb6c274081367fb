// SPDX-License-Identifier: Apache-2.0
#include "kernels/block_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/block_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// The macros of foreach_target come first.
#include <hwy/contrib/math/math-inl.h>

#include "kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using BlockVec = hn::Vec<Lanes8>;

// Most lanes of a vector.
constexpr size_t kSumPlaces = 8;

// Calls map(x, weight) for vectors of the row, which returns the new x; entries past the end count
// as -infinity with weight 0.
template <class Map>
HWY_INLINE void for_row(const float* weights, float* x, size_t n, Map&& map) {
  const Lanes8 d;
  const size_t lanes = hn::Lanes(d);
  const BlockVec one = hn::Set(d, 1.0F);
  size_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    const BlockVec weight = weights == nullptr ? one : hn::LoadU(d, weights + j);
    hn::StoreU(map(hn::LoadU(d, x + j), weight), d, x + j);
  }
  if (j == n) return;
  HWY_ALIGN float rest[kSumPlaces];
  HWY_ALIGN float rest_weights[kSumPlaces] = {};
  std::fill_n(rest, kSumPlaces, -std::numeric_limits<float>::infinity());
  std::copy_n(x + j, n - j, rest);
  if (weights == nullptr)
    std::fill_n(rest_weights, n - j, 1.0F);
  else
    std::copy_n(weights + j, n - j, rest_weights);
  hn::Store(map(hn::Load(d, rest), hn::Load(d, rest_weights)), d, rest);
  std::copy_n(rest, n - j, x + j);
}

float largest_of_row(const float* x, size_t n) {
  const Lanes8 d;
  const size_t lanes = hn::Lanes(d);
  BlockVec top = hn::Set(d, -std::numeric_limits<float>::infinity());
  size_t j = 0;
  for (; j + lanes <= n; j += lanes) top = hn::Max(top, hn::LoadU(d, x + j));
  // Lane by lane: MaxOfLanes does not return -infinity on every target.
  HWY_ALIGN float tops[kSumPlaces];
  hn::Store(top, d, tops);
  float result = *std::max_element(tops, tops + lanes);
  for (; j < n; ++j) result = std::max(result, x[j]);
  return result;
}

float exponentials(float scale, float top, const float* log_weights, float* x, size_t n) {
  const Lanes8 d;
  const BlockVec factor = hn::Set(d, scale);
  const BlockVec from = hn::Set(d, top);
  BlockVec sum = hn::Zero(d);
  const auto add = [&](BlockVec exponent) HWY_ATTR {
    const BlockVec e = hn::Exp(d, exponent);
    sum = hn::Add(sum, e);
    return e;
  };
  if (log_weights == nullptr)
    for_row(nullptr, x, n,
            [&](BlockVec v, BlockVec) HWY_ATTR { return add(hn::Mul(hn::Sub(v, from), factor)); });
  else
    for_row(log_weights, x, n, [&](BlockVec v, BlockVec log_weight) HWY_ATTR {
      return add(hn::MulAdd(hn::Sub(v, from), factor, log_weight));
    });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

SumAndSlope softplus_row(float shift, const float* weights, float* x, size_t n) {
  const Lanes8 d;
  const BlockVec by = hn::Set(d, shift);
  const BlockVec one = hn::Set(d, 1.0F);
  BlockVec sum = hn::Zero(d);
  BlockVec slopes = hn::Zero(d);
  for_row(weights, x, n, [&](BlockVec v, BlockVec weight) HWY_ATTR {
    const BlockVec z = hn::Add(v, by);
    const BlockVec small = hn::Exp(d, hn::Neg(hn::Abs(z)));
    const BlockVec value = hn::Add(hn::Max(z, hn::Zero(d)), hn::Log1p(d, small));
    const BlockVec over = hn::IfThenElse(hn::Ge(z, hn::Zero(d)), one, small);
    const BlockVec slope = hn::Mul(weight, hn::Div(over, hn::Add(one, small)));
    sum = hn::MulAdd(weight, value, sum);
    slopes = hn::Add(slopes, slope);
    return slope;
  });
  return {hn::GetLane(hn::SumOfLanes(d, sum)), hn::GetLane(hn::SumOfLanes(d, slopes))};
}

SumAndSlope positive_part_row(float shift, const float* weights, float* x, size_t n) {
  const Lanes8 d;
  const BlockVec by = hn::Set(d, shift);
  BlockVec sum = hn::Zero(d);
  BlockVec slopes = hn::Zero(d);
  for_row(weights, x, n, [&](BlockVec v, BlockVec weight) HWY_ATTR {
    const BlockVec z = hn::Add(v, by);
    const BlockVec slope = hn::IfThenElseZero(hn::Gt(z, hn::Zero(d)), weight);
    sum = hn::MulAdd(slope, hn::Max(z, hn::Zero(d)), sum);
    slopes = hn::Add(slopes, slope);
    return slope;
  });
  return {hn::GetLane(hn::SumOfLanes(d, sum)), hn::GetLane(hn::SumOfLanes(d, slopes))};
}

void scale_row(float factor, float* x, size_t n) {
  const Lanes8 d;
  const BlockVec by = hn::Set(d, factor);
  for_row(nullptr, x, n, [&](BlockVec v, BlockVec) HWY_ATTR { return hn::Mul(v, by); });
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(largest_of_row);
HWY_EXPORT(exponentials);
HWY_EXPORT(softplus_row);
HWY_EXPORT(positive_part_row);
HWY_EXPORT(scale_row);

float largest_of_row(const float* x, size_t n) {
  return HWY_DYNAMIC_DISPATCH(largest_of_row)(x, n);
}
float exponentials(float scale, float top, const float* log_weights, float* x, size_t n) {
  return HWY_DYNAMIC_DISPATCH(exponentials)(scale, top, log_weights, x, n);
}
SumAndSlope softplus_row(float shift, const float* weights, float* x, size_t n) {
  return HWY_DYNAMIC_DISPATCH(softplus_row)(shift, weights, x, n);
}
SumAndSlope positive_part_row(float shift, const float* weights, float* x, size_t n) {
  return HWY_DYNAMIC_DISPATCH(positive_part_row)(shift, weights, x, n);
}
void scale_row(float factor, float* x, size_t n) {
  HWY_DYNAMIC_DISPATCH(scale_row)(factor, x, n);
}

namespace reference {
namespace {

// f(x) gives {value, slope}.
template <class F>
SumAndSlope row_of(float shift, const float* weights, float* x, size_t n, F&& f) {
  double sum = 0;
  double slopes = 0;
  for (size_t j = 0; j < n; ++j) {
    const double weight = weights == nullptr ? 1.0 : double{weights[j]};
    const auto [value, slope] = f(double{x[j]} + double{shift});
    sum += weight * value;
    slopes += weight * slope;
    x[j] = static_cast<float>(weight * slope);
  }
  return {static_cast<float>(sum), static_cast<float>(slopes)};
}

struct ValueAndSlope {
  double value;
  double slope;
};

}  // namespace

float exponentials(float scale, float top, const float* log_weights, float* x, size_t n) {
  double sum = 0;
  for (size_t j = 0; j < n; ++j) {
    const double log_weight = log_weights == nullptr ? 0.0 : double{log_weights[j]};
    const double e = std::exp(double{scale} * (double{x[j]} - double{top}) + log_weight);
    x[j] = static_cast<float>(e);
    sum += e;
  }
  return static_cast<float>(sum);
}

SumAndSlope softplus_row(float shift, const float* weights, float* x, size_t n) {
  return row_of(shift, weights, x, n, [](double z) {
    const double small = std::exp(-std::abs(z));
    return ValueAndSlope{std::max(z, 0.0) + std::log1p(small), (z >= 0 ? 1 : small) / (1 + small)};
  });
}

SumAndSlope positive_part_row(float shift, const float* weights, float* x, size_t n) {
  return row_of(shift, weights, x, n, [](double z) {
    return ValueAndSlope{std::max(z, 0.0), z > 0 ? 1.0 : 0.0};
  });
}

}  // namespace reference
}  // namespace divns
#endif
