// SPDX-License-Identifier: Apache-2.0
#include "kernels/vectors.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vectors.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "divns/table.h"
#include "kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Two accumulators hide the latency of the fused multiply-add.
HWY_INLINE float dot_rows(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, size_t n) {
  const Lanes8 d;
  const size_t lanes = hn::Lanes(d);
  auto even = hn::Zero(d);
  auto odd = hn::Zero(d);
  size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    even = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), even);
    odd = hn::MulAdd(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes), odd);
  }
  for (; i < n; i += lanes) even = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), even);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

float dot(const float* a, const float* b, size_t n) {
  return dot_rows(a, b, n);
}

void axpy(float alpha, const float* HWY_RESTRICT x, float* HWY_RESTRICT y, size_t n) {
  const Lanes8 d;
  const auto factor = hn::Set(d, alpha);
  for (size_t i = 0; i < n; i += hn::Lanes(d))
    hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
}

void gather_scores(const float* query, VectorTable table, const uint32_t* ids, size_t count,
                   float* scores) {
  constexpr size_t kAhead = 4;
  for (size_t j = 0; j < std::min(count, kAhead); ++j) prefetch_row(table, ids[j]);
  for (size_t j = 0; j < count; ++j) {
    if (j + kAhead < count) prefetch_row(table, ids[j + kAhead]);
    scores[j] = dot_rows(query, table.row(ids[j]), table.stride);
  }
}

void gather_sum(VectorTable table, const uint32_t* ids, const float* weights, size_t count,
                float* out) {
  gather_rows(table, padded(table.dim), {ids, weights, count, count},
              [out](auto d, size_t column, auto sum)
                  HWY_ATTR { hn::StoreU(sum, d, out + column); });
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(dot);
HWY_EXPORT(axpy);
HWY_EXPORT(gather_scores);
HWY_EXPORT(gather_sum);

float dot(const float* a, const float* b, size_t n) {
  return HWY_DYNAMIC_DISPATCH(dot)(a, b, n);
}

void axpy(float alpha, const float* x, float* y, size_t n) {
  HWY_DYNAMIC_DISPATCH(axpy)(alpha, x, y, n);
}

void gather_scores(const float* query, VectorTable table, const uint32_t* ids, size_t count,
                   float* scores) {
  HWY_DYNAMIC_DISPATCH(gather_scores)(query, table, ids, count, scores);
}

void gather_sum(VectorTable table, const uint32_t* ids, const float* weights, size_t count,
                float* out) {
  HWY_DYNAMIC_DISPATCH(gather_sum)(table, ids, weights, count, out);
}

namespace reference {

float dot(const float* a, const float* b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += double{a[i]} * double{b[i]};
  return static_cast<float>(sum);
}

void axpy(float alpha, const float* x, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] += alpha * x[i];
}

void gather_sum(VectorTable table, const uint32_t* ids, const float* weights, size_t count,
                float* out) {
  std::fill_n(out, padded(table.dim), 0.0F);
  for (size_t j = 0; j < count; ++j) axpy(weights[j], table.row(ids[j]), out, padded(table.dim));
}

}  // namespace reference
}  // namespace divns
#endif
