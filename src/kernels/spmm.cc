// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmm.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmm.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/aligned.h"
#include "kernels/bfloat16-inl.h"
#include "kernels/bfloat16.h"
#include "kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {

// Columns of a row that have a row in the compact source, with their weights, a segment at a time.
constexpr size_t kSegment = 512;
struct Segment {
  std::array<uint32_t, kSegment> ids;
  std::array<float, kSegment> weights;
  size_t size = 0;

  // No branch on the outcome, since which columns have a row is random.
  HWY_INLINE void fill(const SpmmProblem& p, const uint32_t* columns, size_t count) {
    size = 0;
    for (size_t j = 0; j < count; ++j) {
      const uint32_t slot = p.slots[columns[j]];
      ids[size] = slot;
      weights[size] = p.column_scale[columns[j]];
      size += slot != kNoSlot ? 1 : 0;
    }
  }
};

// Whether a table of results may pass by the caches: rows are whole cache lines that nobody reads
// soon. Rows that were chosen are read at once.
bool streams(const SpmmProblem& p) {
  constexpr size_t kLine = 64;
  return p.half_source == nullptr && p.half_out == nullptr &&
         p.source.stride * sizeof(float) % kLine == 0 &&
         reinterpret_cast<uintptr_t>(p.out) % kLine == 0;
}

template <class Weight>
HWY_INLINE void sum_rows_of(const SpmmProblem& p, const uint32_t* ids, Weight weight, size_t count,
                            size_t readable, float scale, bool streamed, float* out) {
  if (p.half_source != nullptr)
    gather_half_scaled(p.half_source, p.source.stride, ids, weight, count, readable, scale, out);
  else if (streamed)
    gather_sum_scaled<Results::kStreamed>(p.source, ids, weight, count, readable, scale, out);
  else
    gather_sum_scaled(p.source, ids, weight, count, readable, scale, out);
}

void sum_compact_row(const SpmmProblem& p, const uint32_t* columns, size_t degree, float scale,
                     bool streamed, AlignedVector<float>& partial, float* out) {
  const Lanes8 d;
  Segment segment;
  for (size_t begin = 0; begin == 0 || begin < degree; begin += kSegment) {
    segment.fill(p, columns + begin, std::min(kSegment, degree - begin));
    sum_rows_of(p, segment.ids.data(), ByPlace{segment.weights.data()}, segment.size, segment.size,
                scale, streamed && degree <= kSegment, begin == 0 ? out : partial.data());
    if (begin == 0) continue;
    for (size_t v = 0; v < p.source.stride; v += hn::Lanes(d))
      hn::StoreU(hn::Add(hn::LoadU(d, out + v), hn::LoadU(d, partial.data() + v)), d, out + v);
  }
}

void spmm_rows(const SpmmProblem& p, const uint32_t* rows, uint32_t first, size_t count) {
  AlignedVector<float> partial(p.slots != nullptr ? p.source.stride : 0);
  const bool streamed = rows == nullptr && streams(p);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t row = rows != nullptr ? rows[i] : first + static_cast<uint32_t>(i);
    float* out = p.out + size_t{row} * p.source.stride;
    const uint32_t* columns = p.columns + p.offsets[row];
    const size_t degree = p.offsets[row + 1] - p.offsets[row];
    if (p.slots != nullptr) {
      sum_compact_row(p, columns, degree, p.row_scale[row], streamed, partial, out);
    } else {
      // The next row's columns follow in memory, up to the end of the last row asked for.
      const size_t readable = rows == nullptr ? p.offsets[first + count] - p.offsets[row] : degree;
      sum_rows_of(p, columns, ById{p.column_scale}, degree, readable, p.row_scale[row], streamed,
                  out);
    }
    if (p.half_out != nullptr)
      round_row(out, p.source.stride, p.half_out + size_t{row} * p.source.stride);
  }
  if (streamed) hwy::FlushStream();  // or other threads might not see what was written
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(spmm_rows);

void spmm_rows(const SpmmProblem& problem, const uint32_t* rows, uint32_t first, size_t count) {
  HWY_DYNAMIC_DISPATCH(spmm_rows)(problem, rows, first, count);
}

namespace reference {

void spmm_rows(const SpmmProblem& p, const uint32_t* rows, uint32_t first, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t row = rows != nullptr ? rows[i] : first + static_cast<uint32_t>(i);
    for (uint32_t k = 0; k < p.source.stride; ++k) {
      double sum = 0;
      for (uint64_t e = p.offsets[row]; e < p.offsets[row + 1]; ++e) {
        const uint32_t column = p.columns[e];
        const uint32_t source = p.slots != nullptr ? p.slots[column] : column;
        if (source == kNoSlot) continue;
        const float value = p.half_source != nullptr
                                ? from_bfloat16(p.half_source[size_t{source} * p.source.stride + k])
                                : p.source.row(source)[k];
        sum += double{p.column_scale[column]} * double{value};
      }
      p.out[size_t{row} * p.source.stride + k] = static_cast<float>(double{p.row_scale[row]} * sum);
    }
    const size_t begin = size_t{row} * p.source.stride;
    if (p.half_out != nullptr)
      round_to_bfloat16(p.out + begin, p.source.stride, p.half_out + begin);
  }
}

}  // namespace reference
}  // namespace divns
#endif
