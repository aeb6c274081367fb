// SPDX-License-Identifier: Apache-2.0
// Shared by the kernels that sum gathered rows. Included once per Highway target, hence the guard
// that toggles.
#if defined(DIVNS_KERNELS_GATHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIVNS_KERNELS_GATHER_INL_H_
#undef DIVNS_KERNELS_GATHER_INL_H_
#else
#define DIVNS_KERNELS_GATHER_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "divns/vectors.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most eight lanes, whatever the machine has: the same sums on AVX2 and AVX-512.
using Lanes8 = hn::CappedTag<float, 8>;

HWY_INLINE void prefetch_row(const VectorTable& table, uint32_t id) {
  const float* row = table.row(id);
  for (uint32_t i = 0; i < table.stride; i += 16) hwy::Prefetch(row + i);
}

// The weight of the j-th row gathered: by place, or by the id of the row.
struct ByPlace {
  const float* weights;
  float operator()(size_t j, uint32_t /*id*/) const { return weights[j]; }
};
struct ById {
  const float* weights;
  float operator()(size_t /*j*/, uint32_t id) const { return weights[id]; }
};

// As many lanes as the machine has: every column is summed by itself, in the order of the rows, so
// the width changes no bit.
using LanesWide = hn::CappedTag<float, 16>;

// Where sums go: to the caches, or past them, which leaves these to the rows that are gathered.
// Past them only whole cache lines should go.
enum class Results { kCached, kStreamed };

// out[0, kVectors * lanes) = scale * sum_j weight(j) * row(ids[j])[same columns], kept in registers
// while the rows stream by. ids[count .. readable) come next in the caller's work: their rows are
// asked for ahead of time.
template <size_t kVectors, Results kResults, class D, class Weight>
HWY_INLINE void gather_sum_block(D d, const float* base, size_t stride,
                                 const uint32_t* HWY_RESTRICT ids, Weight weight, size_t count,
                                 size_t readable, float scale, float* HWY_RESTRICT out) {
  const size_t lanes = hn::Lanes(d);
  hn::Vec<D> sum[kVectors];
  for (auto& part : sum) part = hn::Zero(d);
  constexpr size_t kAhead = 16;
  for (size_t j = 0; j < count; ++j) {
    if (j + kAhead < readable) {
      const float* next = base + size_t{ids[j + kAhead]} * stride;
      for (size_t v = 0; v < kVectors * lanes; v += 16) hwy::Prefetch(next + v);
    }
    const float* row = base + size_t{ids[j]} * stride;
    const auto factor = hn::Set(d, weight(j, ids[j]));
    for (size_t v = 0; v < kVectors; ++v)
      sum[v] = hn::MulAdd(factor, hn::LoadU(d, row + v * lanes), sum[v]);
  }
  const auto factor = hn::Set(d, scale);
  for (size_t v = 0; v < kVectors; ++v) {
    if constexpr (kResults == Results::kStreamed)
      hn::Stream(hn::Mul(factor, sum[v]), d, out + v * lanes);
    else
      hn::StoreU(hn::Mul(factor, sum[v]), d, out + v * lanes);
  }
}

template <Results kResults = Results::kCached, class Weight>
HWY_INLINE void gather_sum_scaled(const VectorTable& table, const uint32_t* ids, Weight weight,
                                  size_t count, size_t readable, float scale, float* out) {
  size_t column = 0;
  const auto block = [&](auto d, auto vectors) HWY_ATTR {
    gather_sum_block<decltype(vectors)::value, kResults>(
        d, table.data + column, table.stride, ids, weight, count, readable, scale, out + column);
    column += decltype(vectors)::value * hn::Lanes(d);
  };
  const LanesWide wide;
  constexpr size_t kWide = hn::MaxLanes(wide);
  constexpr size_t kBlock = 64 / kWide <= 8 ? 64 / kWide : 8;
  while (column + kBlock * kWide <= table.stride)
    block(wide, std::integral_constant<size_t, kBlock>());
  while (column + kWide <= table.stride) block(wide, std::integral_constant<size_t, 1>());
  while (column < table.stride) block(Lanes8(), std::integral_constant<size_t, 1>());
}

// The same from rows in bfloat16. A word of 32 bits holds two columns, and a bfloat16 is a float32
// without its lower half: a shift gives the even column, a mask the odd one.
template <size_t kVectors, class D, class Weight>
HWY_INLINE void gather_half_block(D d, const uint16_t* base, size_t stride,
                                  const uint32_t* HWY_RESTRICT ids, Weight weight, size_t count,
                                  size_t readable, float scale, float* HWY_RESTRICT out) {
  const hn::RebindToUnsigned<D> words;
  const size_t lanes = hn::Lanes(d);
  const auto upper = hn::Set(words, 0xFFFF0000U);
  hn::Vec<D> even[kVectors];
  hn::Vec<D> odd[kVectors];
  for (size_t v = 0; v < kVectors; ++v) even[v] = odd[v] = hn::Zero(d);
  constexpr size_t kAhead = 16;
  for (size_t j = 0; j < count; ++j) {
    if (j + kAhead < readable) {
      const uint16_t* next = base + size_t{ids[j + kAhead]} * stride;
      for (size_t v = 0; v < 2 * kVectors * lanes; v += 32) hwy::Prefetch(next + v);
    }
    // Two halves a word; by way of void, since LoadU asks for no alignment.
    const void* halves = base + size_t{ids[j]} * stride;
    const auto* row = static_cast<const uint32_t*>(halves);
    const auto factor = hn::Set(d, weight(j, ids[j]));
    for (size_t v = 0; v < kVectors; ++v) {
      const auto pair = hn::LoadU(words, row + v * lanes);
      even[v] = hn::MulAdd(factor, hn::BitCast(d, hn::ShiftLeft<16>(pair)), even[v]);
      odd[v] = hn::MulAdd(factor, hn::BitCast(d, hn::And(pair, upper)), odd[v]);
    }
  }
  const auto factor = hn::Set(d, scale);
  for (size_t v = 0; v < kVectors; ++v)
    hn::StoreInterleaved2(hn::Mul(factor, even[v]), hn::Mul(factor, odd[v]), d,
                          out + 2 * v * lanes);
}

template <class Weight>
HWY_INLINE void gather_half_scaled(const uint16_t* rows, size_t stride, const uint32_t* ids,
                                   Weight weight, size_t count, size_t readable, float scale,
                                   float* out) {
  size_t column = 0;
  const auto block = [&](auto d, auto vectors) HWY_ATTR {
    gather_half_block<decltype(vectors)::value>(d, rows + column, stride, ids, weight, count,
                                                readable, scale, out + column);
    column += 2 * decltype(vectors)::value * hn::Lanes(d);
  };
  const LanesWide wide;
  constexpr size_t kWide = 2 * hn::MaxLanes(wide);
  constexpr size_t kBlock = 64 / kWide <= 4 ? 64 / kWide : 4;
  while (column + kBlock * kWide <= stride) block(wide, std::integral_constant<size_t, kBlock>());
  while (column + kWide <= stride) block(wide, std::integral_constant<size_t, 1>());
  while (column < stride) block(hn::CappedTag<float, 4>(), std::integral_constant<size_t, 1>());
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
