// SPDX-License-Identifier: Apache-2.0
// Shared by the kernels that sum gathered rows. Included once per Highway target, therefore the
// toggling guard.
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
#include <utility>

#include "divns/vectors.h"
#include "kernels/bfloat16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most eight lanes on every machine, so AVX2 and AVX-512 give the same sums.
using Lanes8 = hn::CappedTag<float, 8>;

HWY_INLINE void prefetch_row(const VectorTable& table, uint32_t id) {
  const float* row = table.row(id);
  for (uint32_t i = 0; i < table.stride; i += 16) hwy::Prefetch(row + i);
}

// As many lanes as the machine has. Each column is summed independently in the order of the rows,
// so the vector width does not change the bits.
using LanesWide = hn::CappedTag<float, 16>;

// Rows to sum: weights[j] * row ids[j], j < count. ids[count .. readable) are the caller's next
// rows, which are prefetched.
struct GatheredRows {
  const uint32_t* HWY_RESTRICT ids;
  const float* HWY_RESTRICT weights;
  size_t count;
  size_t readable;
};
constexpr size_t kRowsAhead = 16;

// Unrolled by hand: GCC turns a loop over few vectors into a string instruction on the stack, which
// costs more than summing two rows.
template <class D, size_t... kIndex>
HWY_INLINE void set_zero(D d, hn::Vec<D>* sums, std::index_sequence<kIndex...>) {
  ((sums[kIndex] = hn::Zero(d)), ...);
}

// Sums of columns [0, kVectors * lanes), kept in registers while the rows are read. Then calls
// finish(d, column, sum) for each vector.
template <size_t kVectors, class D, class Stride, class Finish>
HWY_INLINE void gather_sum_block(D d, const float* base, Stride stride, GatheredRows rows,
                                 size_t first_column, Finish finish) {
  const size_t lanes = hn::Lanes(d);
  hn::Vec<D> sum[kVectors];
  set_zero(d, sum, std::make_index_sequence<kVectors>());
  base += first_column;
  for (size_t j = 0; j < rows.count; ++j) {
    if (j + kRowsAhead < rows.readable) {
      const float* next = base + size_t{rows.ids[j + kRowsAhead]} * stride;
      for (size_t v = 0; v < kVectors * lanes; v += 16) hwy::Prefetch(next + v);
    }
    const float* row = base + size_t{rows.ids[j]} * stride;
    const auto factor = hn::Set(d, rows.weights[j]);
    for (size_t v = 0; v < kVectors; ++v)
      sum[v] = hn::MulAdd(factor, hn::LoadU(d, row + v * lanes), sum[v]);
  }
  for (size_t v = 0; v < kVectors; ++v) finish(d, first_column + v * lanes, sum[v]);
}

// Most tables have rows of 64 floats; a compile-time stride saves one multiplication per row.
using UsualStride = std::integral_constant<size_t, 64>;

// The first `width` columns, a multiple of kRowQuantum.
template <class Finish>
HWY_INLINE void gather_rows(const VectorTable& table, size_t width, GatheredRows rows,
                            Finish finish) {
  const LanesWide wide;
  constexpr size_t kWide = hn::MaxLanes(wide);
  constexpr size_t kBlock = 64 / kWide <= 8 ? 64 / kWide : 8;
  if constexpr (kBlock * kWide == UsualStride::value) {
    if (table.stride == UsualStride::value && width == UsualStride::value) {
      gather_sum_block<kBlock>(wide, table.data, UsualStride(), rows, 0, finish);
      return;
    }
  }
  size_t column = 0;
  const auto block = [&](auto d, auto vectors) HWY_ATTR {
    gather_sum_block<decltype(vectors)::value>(d, table.data, size_t{table.stride}, rows, column,
                                               finish);
    column += decltype(vectors)::value * hn::Lanes(d);
  };
  while (column + kBlock * kWide <= width) block(wide, std::integral_constant<size_t, kBlock>());
  while (column + kWide <= width) block(wide, std::integral_constant<size_t, 1>());
  while (column < width) block(Lanes8(), std::integral_constant<size_t, 1>());
}

// As gather_sum_block, without weights, for rows of words with two columns each (bfloat16.h) and
// twice as many columns. finish(d, column, even, odd) gets the sums of the even and odd columns of
// two vectors.
template <size_t kVectors, class D, class Stride, class Finish>
HWY_INLINE void gather_pairs_block(D d, const uint32_t* base, Stride stride, GatheredRows rows,
                                   size_t first_column, Finish finish) {
  const hn::RebindToUnsigned<D> words;
  const size_t lanes = hn::Lanes(d);
  hn::Vec<D> even[kVectors];
  hn::Vec<D> odd[kVectors];
  set_zero(d, even, std::make_index_sequence<kVectors>());
  set_zero(d, odd, std::make_index_sequence<kVectors>());
  base += first_column / 2;
  for (size_t j = 0; j < rows.count; ++j) {
    if (j + kRowsAhead < rows.readable) {
      const uint32_t* next = base + size_t{rows.ids[j + kRowsAhead]} * (stride / 2);
      for (size_t v = 0; v < kVectors * lanes; v += 16) hwy::Prefetch(next + v);
    }
    const uint32_t* row = base + size_t{rows.ids[j]} * (stride / 2);
    for (size_t v = 0; v < kVectors; ++v) {
      const auto pair = hn::LoadU(words, row + v * lanes);
      even[v] = hn::Add(even[v], even_columns(d, pair));
      odd[v] = hn::Add(odd[v], odd_columns(d, pair));
    }
  }
  for (size_t v = 0; v < kVectors; ++v) finish(d, first_column + 2 * v * lanes, even[v], odd[v]);
}

template <class Finish>
HWY_INLINE void gather_pair_rows(const uint32_t* table, size_t stride, GatheredRows rows,
                                 Finish finish) {
  const LanesWide wide;
  constexpr size_t kWide = 2 * hn::MaxLanes(wide);
  constexpr size_t kBlock = 64 / kWide <= 4 ? 64 / kWide : 4;
  if constexpr (kBlock * kWide == UsualStride::value) {
    if (stride == UsualStride::value) {
      gather_pairs_block<kBlock>(wide, table, UsualStride(), rows, 0, finish);
      return;
    }
  }
  size_t column = 0;
  const auto block = [&](auto d, auto vectors) HWY_ATTR {
    gather_pairs_block<decltype(vectors)::value>(d, table, stride, rows, column, finish);
    column += 2 * decltype(vectors)::value * hn::Lanes(d);
  };
  while (column + kBlock * kWide <= stride) block(wide, std::integral_constant<size_t, kBlock>());
  while (column + kWide <= stride) block(wide, std::integral_constant<size_t, 1>());
  while (column < stride) block(hn::CappedTag<float, 4>(), std::integral_constant<size_t, 1>());
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
