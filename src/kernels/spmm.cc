// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmm.h"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmm.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/check.h"
#include "divns/aligned.h"
#include "kernels/bfloat16.h"
#include "kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {

// The edges of some rows whose column has a row in the source, collected in one list, so that the
// source rows of the next rows can be prefetched while a row is summed.
class CollectedEdges {
 public:
  void clear() {
    size_ = 0;
    ends_.clear();
  }
  size_t size() const { return size_; }

  void add_row(const SpmmProblem& p, uint64_t begin, uint64_t end) {
    const bool weighted = p.half_source == nullptr;
    if (ids_.size() < size_ + (end - begin)) {
      ids_.resize(size_ + (end - begin));
      if (weighted) weights_.resize(ids_.size());
    }
    if (p.slots == nullptr) {
      std::copy(p.columns + begin, p.columns + end, ids_.begin() + offset(size_));
      if (weighted) std::copy(p.weights + begin, p.weights + end, weights_.begin() + offset(size_));
      size_ += end - begin;
    } else {
      // Branch-free, because which columns have a row is unpredictable.
      for (uint64_t e = begin; e < end; ++e) {
        const uint32_t slot = p.slots[p.columns[e]];
        ids_[size_] = slot;
        if (weighted) weights_[size_] = p.weights[e];
        size_ += slot != kNoSlot ? 1 : 0;
      }
    }
    ends_.push_back(size_);
  }
  // The i-th row that was added.
  GatheredRows row(size_t i) const {
    const size_t begin = i > 0 ? ends_[i - 1] : 0;
    const float* weights = weights_.empty() ? nullptr : weights_.data() + begin;
    return {ids_.data() + begin, weights, ends_[i] - begin, size_ - begin};
  }

 private:
  static std::ptrdiff_t offset(size_t n) { return static_cast<std::ptrdiff_t>(n); }

  AlignedVector<uint32_t> ids_;
  AlignedVector<float> weights_;
  std::vector<size_t> ends_;
  size_t size_ = 0;
};

// Writes the scaled sums of a row to a table (bypassing the caches or not) or to a half table.
template <bool kStreamed>
struct ToRow {
  float scale;
  float* HWY_RESTRICT out;

  template <class D, class V>
  HWY_INLINE void operator()(D d, size_t column, V sum) const {
    const auto value = hn::Mul(hn::Set(d, scale), sum);
    if constexpr (kStreamed)
      hn::Stream(value, d, out + column);
    else
      hn::StoreU(value, d, out + column);
  }
  template <class D, class V>
  HWY_INLINE void operator()(D d, size_t column, V even, V odd) const {
    const auto factor = hn::Set(d, scale);
    hn::StoreInterleaved2(hn::Mul(factor, even), hn::Mul(factor, odd), d, out + column);
  }
};

struct ToHalfRow {
  float scale;
  uint32_t* HWY_RESTRICT out;

  template <class D, class V>
  HWY_INLINE void operator()(D d, size_t column, V even, V odd) const {
    const auto factor = hn::Set(d, scale);
    hn::StoreU(pair_words(d, hn::Mul(factor, even), hn::Mul(factor, odd)),
               hn::RebindToUnsigned<D>(), out + column / 2);
  }
};

// Whether a result table may bypass the caches, which leaves them to the gathered rows. Only for
// whole tables with rows of full cache lines: selected rows are read again soon.
bool streams(const SpmmProblem& p) {
  constexpr size_t kLine = 64;
  return p.sums == nullptr && p.source.stride * sizeof(float) % kLine == 0 &&
         reinterpret_cast<uintptr_t>(p.out) % kLine == 0;
}

// The row of the addends that belongs to a row, or kNoSlot.
HWY_INLINE uint32_t addend_slot(const SpmmProblem& p, uint32_t row) {
  if (p.addends.empty()) return kNoSlot;
  return p.addend_slots != nullptr ? p.addend_slots[row] : row;
}

// Prefetches a row of the given number of four-byte values.
HWY_INLINE void prefetch_values(const void* row, size_t count, bool to_write = false) {
  const auto* bytes = static_cast<const char*>(row);
  for (size_t b = 0; b < 4 * count; b += 64)
    to_write ? __builtin_prefetch(bytes + b, 1) : __builtin_prefetch(bytes + b);
}

// Prefetches the addends of a row.
HWY_INLINE void prefetch_addends(const SpmmProblem& p, uint32_t row) {
  const size_t stride = p.source.stride;
  const uint32_t slot = addend_slot(p, row);
  if (slot == kNoSlot) return;
  for (const SpmmAddend& addend : p.addends) {
    if (addend.rows != nullptr)
      prefetch_values(addend.rows + slot * stride, stride);
    else
      prefetch_values(addend.half_rows + slot * (stride / 2), stride / 2);
    if (addend.wide != nullptr) prefetch_values(addend.wide + slot * stride, stride, true);
  }
}

// Prefetches the destination of a row.
HWY_INLINE void prefetch_results(const SpmmProblem& p, uint32_t row) {
  const size_t stride = p.source.stride;
  if (p.sums != nullptr) prefetch_values(p.sums + row * stride, stride, true);
  if (p.out != nullptr) prefetch_values(p.out + row * stride, stride, true);
}

// Prefetches the first edges of a row.
HWY_INLINE void prefetch_edges(const SpmmProblem& p, uint32_t row) {
  __builtin_prefetch(p.columns + p.offsets[row]);
  if (p.half_source == nullptr) __builtin_prefetch(p.weights + p.offsets[row]);
}

// Writes the scaled sums of a row and all other requested results: out = addends in their order,
// then sum_weight * sums, so hops are pooled from first to last.
class ToAllResults {
 public:
  HWY_INLINE ToAllResults(const SpmmProblem& problem, uint32_t row, uint32_t slot)
      : p_(problem),
        scale_(problem.row_scale[row]),
        row_(row * size_t{problem.source.stride}),
        slot_(slot * size_t{problem.source.stride}),
        addends_(slot != kNoSlot ? problem.addends : std::span<const SpmmAddend>()) {}

  template <class D, class V>
  HWY_INLINE void operator()(D d, size_t column, V sum) const {
    const auto scaled = hn::Mul(hn::Set(d, scale_), sum);
    if (p_.sums != nullptr) hn::StoreU(scaled, d, p_.sums + row_ + column);
    auto value = hn::Zero(d);
    for (const SpmmAddend& addend : addends_)
      value =
          hn::MulAdd(hn::Set(d, addend.weight), hn::LoadU(d, addend.rows + slot_ + column), value);
    value = hn::MulAdd(hn::Set(d, p_.sum_weight), scaled, value);
    hn::StoreU(value, d, p_.out + row_ + column);
  }

  // Even and odd columns, for a half-precision source.
  template <class D, class V>
  HWY_INLINE void operator()(D d, size_t column, V even, V odd) const {
    const auto scale = hn::Set(d, scale_);
    even = hn::Mul(scale, even);
    odd = hn::Mul(scale, odd);
    if (p_.sums != nullptr) hn::StoreInterleaved2(even, odd, d, p_.sums + row_ + column);
    auto even_value = hn::Zero(d);
    auto odd_value = hn::Zero(d);
    for (const SpmmAddend& addend : addends_) {
      V even_part, odd_part;
      load(d, addend, column, even_part, odd_part);
      const auto weight = hn::Set(d, addend.weight);
      even_value = hn::MulAdd(weight, even_part, even_value);
      odd_value = hn::MulAdd(weight, odd_part, odd_value);
    }
    const auto sum_weight = hn::Set(d, p_.sum_weight);
    even_value = hn::MulAdd(sum_weight, even, even_value);
    odd_value = hn::MulAdd(sum_weight, odd, odd_value);
    if (p_.out != nullptr) hn::StoreInterleaved2(even_value, odd_value, d, p_.out + row_ + column);
    if (p_.half_out != nullptr)
      hn::StoreU(pair_words(d, hn::Mul(scale, even_value), hn::Mul(scale, odd_value)),
                 hn::RebindToUnsigned<D>(), p_.half_out + (row_ + column) / 2);
  }

 private:
  template <class D, class V>
  HWY_INLINE void load(D d, const SpmmAddend& addend, size_t column, V& even, V& odd) const {
    const size_t at = slot_ + column;
    if (addend.rows != nullptr) {
      hn::LoadInterleaved2(d, addend.rows + at, even, odd);
      return;
    }
    const auto unscale = hn::Set(d, scale_ > 0 ? 1 / scale_ : 0.0F);
    const auto words = hn::LoadU(hn::RebindToUnsigned<D>(), addend.half_rows + at / 2);
    even = hn::Mul(unscale, even_columns(d, words));
    odd = hn::Mul(unscale, odd_columns(d, words));
    if (addend.wide != nullptr) hn::StoreInterleaved2(even, odd, d, addend.wide + at);
  }

  const SpmmProblem& p_;
  float scale_;
  size_t row_;   // start of the row in a float32 table
  size_t slot_;  // start of the row in the addends
  std::span<const SpmmAddend> addends_;
};

// Computes the rows of a problem one after another on one thread. Which inputs and outputs a
// problem has is a template argument where it matters per row, because rows of sparse graphs have
// few edges.
template <bool kHalf, bool kStreamed>
class RowSums {
 public:
  static constexpr bool kPastCaches = kStreamed;

  explicit RowSums(const SpmmProblem& problem)
      : p_(problem),
        plain_(problem.sums == nullptr && problem.sum_weight == 1 &&
               (problem.out == nullptr || problem.half_out == nullptr)) {}

  HWY_INLINE void sum(uint32_t row, GatheredRows edges) {
    const uint32_t slot = addend_slot(p_, row);
    if (plain_ && slot == kNoSlot)
      sum_plain(row, edges);
    else
      sum_all(row, slot, edges);
  }

 private:
  template <class Finish>
  HWY_INLINE void gather(GatheredRows edges, Finish finish) const {
    if constexpr (kHalf)
      gather_pair_rows(p_.half_source, p_.source.stride, edges, finish);
    else
      gather_rows(p_.source, p_.source.stride, edges, finish);
  }

  HWY_INLINE void sum_plain(uint32_t row, GatheredRows edges) const {
    const float scale = p_.row_scale[row];
    const size_t at = row * size_t{p_.source.stride};
    if constexpr (kHalf) {
      if (p_.half_out != nullptr) {
        gather(edges, ToHalfRow{scale * scale, p_.half_out + at / 2});
        return;
      }
    }
    gather(edges, ToRow<kStreamed>{scale, p_.out + at});
  }

  HWY_NOINLINE void sum_all(uint32_t row, uint32_t slot, GatheredRows edges) const {
    gather(edges, ToAllResults(p_, row, slot));
  }

  const SpmmProblem& p_;
  bool plain_;
};

constexpr size_t kAddendsAhead = 4;

// A chunk of consecutive rows.
template <class Sums>
void sum_rows_in_order(const SpmmProblem& p, uint32_t first, size_t count, Sums& sums) {
  const uint64_t end = p.offsets[first + count];
  for (size_t row = first; row < first + count; ++row) {
    if (row + kAddendsAhead < first + count)
      prefetch_addends(p, static_cast<uint32_t>(row + kAddendsAhead));
    const uint64_t begin = p.offsets[row];
    sums.sum(static_cast<uint32_t>(row),
             {p.columns + begin, p.weights + begin, p.offsets[row + 1] - begin, end - begin});
  }
}

// The same for rows at arbitrary positions, or with a compact source: row_at(i), i < count. The row
// offsets, the edges and the other data of a row are prefetched in successive stages.
template <class RowAt, class Sums>
void sum_collected_rows(const SpmmProblem& p, RowAt row_at, size_t count, Sums& sums) {
  constexpr size_t kEdges = 1024;
  constexpr size_t kEdgesAhead = 4;
  constexpr size_t kOffsetsAhead = 8;
  CollectedEdges edges;
  for (size_t i = 0; i < count;) {
    const size_t begin = i;
    edges.clear();
    for (; i < count && edges.size() < kEdges; ++i) {
      if (i + kOffsetsAhead < count) __builtin_prefetch(p.offsets + row_at(i + kOffsetsAhead));
      if (i + kEdgesAhead < count) prefetch_edges(p, row_at(i + kEdgesAhead));
      edges.add_row(p, p.offsets[row_at(i)], p.offsets[row_at(i) + 1]);
    }
    for (size_t r = begin; r < i; ++r) {
      if (r + kAddendsAhead < count) {
        prefetch_addends(p, row_at(r + kAddendsAhead));
        if constexpr (!Sums::kPastCaches) prefetch_results(p, row_at(r + kAddendsAhead));
      }
      sums.sum(row_at(r), edges.row(r - begin));
    }
  }
}

template <bool kHalf, bool kStreamed>
void sum_rows(const SpmmProblem& p, const uint32_t* rows, uint32_t first, size_t count) {
  RowSums<kHalf, kStreamed> sums(p);
  if (rows != nullptr)
    sum_collected_rows(
        p, [rows](size_t i) { return rows[i]; }, count, sums);
  else if (p.slots != nullptr)
    sum_collected_rows(
        p, [first](size_t i) { return first + static_cast<uint32_t>(i); }, count, sums);
  else
    sum_rows_in_order(p, first, count, sums);
  if constexpr (kStreamed) hwy::FlushStream();  // makes streamed stores visible to other threads
}

void spmm_rows(const SpmmProblem& p, const uint32_t* rows, uint32_t first, size_t count) {
  DIVNS_ASSERT(p.out != nullptr || p.half_out != nullptr);
  if (p.half_source != nullptr)
    sum_rows<true, false>(p, rows, first, count);
  else if (rows == nullptr && streams(p))
    sum_rows<false, true>(p, rows, first, count);
  else
    sum_rows<false, false>(p, rows, first, count);
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
  const size_t stride = p.source.stride;
  const auto half_value = [&](const uint32_t* table, size_t row, size_t k) {
    const uint32_t word = table[row * (stride / 2) + k / 2];
    return double{k % 2 == 0 ? even_of_pair(word) : odd_of_pair(word)};
  };
  for (size_t i = 0; i < count; ++i) {
    const uint32_t row = rows != nullptr ? rows[i] : first + static_cast<uint32_t>(i);
    const uint32_t slot = p.addend_slots != nullptr ? p.addend_slots[row] : row;
    const double scale{p.row_scale[row]};
    AlignedVector<float> result(stride);
    for (size_t k = 0; k < stride; ++k) {
      double sum = 0;
      for (uint64_t e = p.offsets[row]; e < p.offsets[row + 1]; ++e) {
        const uint32_t column = p.columns[e];
        const uint32_t source = p.slots != nullptr ? p.slots[column] : column;
        if (source == kNoSlot) continue;
        sum += p.half_source != nullptr ? half_value(p.half_source, source, k)
                                        : double{p.weights[e]} * double{p.source.row(source)[k]};
      }
      sum *= scale;
      if (p.sums != nullptr) p.sums[row * stride + k] = static_cast<float>(sum);
      double value = double{p.sum_weight} * sum;
      for (const SpmmAddend& addend : p.addends) {
        if (slot == kNoSlot) continue;
        double part = 0;
        if (addend.rows != nullptr) {
          part = double{addend.rows[slot * stride + k]};
        } else {
          part = scale > 0 ? half_value(addend.half_rows, slot, k) / scale : 0;
          if (addend.wide != nullptr) addend.wide[slot * stride + k] = static_cast<float>(part);
        }
        value += double{addend.weight} * part;
      }
      result[k] = static_cast<float>(value);
      if (p.out != nullptr) p.out[row * stride + k] = result[k];
    }
    if (p.half_out != nullptr)
      for (size_t k = 0; k < stride; k += 2)
        p.half_out[(row * stride + k) / 2] =
            round_to_pair(p.row_scale[row] * result[k], p.row_scale[row] * result[k + 1]);
  }
}

}  // namespace reference
}  // namespace divns
#endif
