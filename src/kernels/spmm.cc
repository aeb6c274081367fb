// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmm.h"

#include <algorithm>
#include <array>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmm.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/aligned.h"
#include "base/check.h"
#include "kernels/bfloat16-inl.h"
#include "kernels/bfloat16.h"
#include "kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {

// The edges of some rows whose column has a row in the compact source, put together: so that while
// a row is summed, what the next ones read can be asked for.
class CompactEdges {
 public:
  void clear() {
    size_ = 0;
    ends_.clear();
  }
  size_t size() const { return size_; }

  void add_row(const SpmmProblem& p, uint64_t begin, uint64_t end) {
    if (ids_.size() < size_ + (end - begin)) {
      ids_.resize(size_ + (end - begin));
      weights_.resize(ids_.size());
    }
    // No branch on the outcome, since which columns have a row is random.
    for (uint64_t e = begin; e < end; ++e) {
      const uint32_t slot = p.slots[p.columns[e]];
      ids_[size_] = slot;
      weights_[size_] = p.weights[e];
      size_ += slot != kNoSlot ? 1 : 0;
    }
    ends_.push_back(size_);
  }
  // The i-th row added.
  GatheredRows row(size_t i) const {
    const size_t begin = i > 0 ? ends_[i - 1] : 0;
    return {ids_.data() + begin, weights_.data() + begin, ends_[i] - begin, size_ - begin};
  }

 private:
  AlignedVector<uint32_t> ids_;
  AlignedVector<float> weights_;
  std::vector<size_t> ends_;
  size_t size_ = 0;
};

// The sums of a row, scaled: to a table, past the caches or not, or to a table in bfloat16.
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
  uint16_t* HWY_RESTRICT out;

  template <class D, class V>
  HWY_INLINE void operator()(D d, size_t column, V even, V odd) const {
    const hn::RebindToUnsigned<D> words;
    const auto factor = hn::Set(d, scale);
    const auto rounded = [&](V sum) HWY_ATTR {
      return rounded_word(words, hn::BitCast(words, hn::Mul(factor, sum)));
    };
    const auto upper = hn::And(rounded(odd), hn::Set(words, 0xFFFF0000U));
    void* to = out + column;
    hn::StoreU(hn::Or(hn::ShiftRight<16>(rounded(even)), upper), words, static_cast<uint32_t*>(to));
  }
};

// Whether a table of results may pass by the caches, which leaves these to the rows that are
// gathered: rows are whole cache lines that nobody reads soon. Rows that were chosen are read at
// once.
bool streams(const SpmmProblem& p) {
  constexpr size_t kLine = 64;
  return p.half_source == nullptr && p.sums == nullptr &&
         p.source.stride * sizeof(float) % kLine == 0 &&
         reinterpret_cast<uintptr_t>(p.out) % kLine == 0;
}

// What is added to one row.
class RowAddends {
 public:
  void find(const SpmmProblem& p, uint32_t row) {
    count_ = 0;
    for (const SpmmAddend& addend : p.addends) {
      const uint32_t slot = addend.slots != nullptr ? addend.slots[row] : row;
      if (slot != kNoSlot) found_[count_++] = {&addend, slot * size_t{p.source.stride}};
    }
  }
  bool empty() const { return count_ == 0; }

  // out = addends in their order, then weight * sums: hops are pooled from the first to the last.
  HWY_INLINE void finish(float weight, size_t stride, const float* sums, float* out) const {
    const Lanes8 d;
    const hn::RebindToUnsigned<Lanes8> words;
    const hn::Rebind<uint16_t, Lanes8> halves;
    for (size_t c = 0; c < stride; c += hn::Lanes(d)) {
      auto value = hn::Zero(d);
      for (size_t i = 0; i < count_; ++i) {
        const SpmmAddend& addend = *found_[i].addend;
        const size_t at = found_[i].begin + c;
        auto part = hn::Zero(d);
        if (addend.rows != nullptr) {
          part = hn::LoadU(d, addend.rows + at);
        } else {
          const auto half = hn::PromoteTo(words, hn::LoadU(halves, addend.half_rows + at));
          part = hn::BitCast(d, hn::ShiftLeft<16>(half));
          if (addend.wide != nullptr) hn::StoreU(part, d, addend.wide + at);
        }
        value = hn::MulAdd(hn::Set(d, addend.weight), part, value);
      }
      hn::StoreU(hn::MulAdd(hn::Set(d, weight), hn::LoadU(d, sums + c), value), d, out + c);
    }
  }

  static constexpr size_t kMost = 24;

 private:
  struct Found {
    const SpmmAddend* addend;
    size_t begin;
  };
  std::array<Found, kMost> found_;
  size_t count_ = 0;
};

template <class T>
HWY_INLINE void prefetch_values(const T* row, size_t count, bool to_write) {
  for (size_t c = 0; c < count; c += 64 / sizeof(T))
    to_write ? __builtin_prefetch(row + c, 1) : __builtin_prefetch(row + c);
}

// Asks for what will be added to a row.
HWY_INLINE void prefetch_addends(const SpmmProblem& p, uint32_t row) {
  const size_t stride = p.source.stride;
  for (const SpmmAddend& addend : p.addends) {
    const uint32_t slot = addend.slots != nullptr ? addend.slots[row] : row;
    if (slot == kNoSlot) continue;
    if (addend.rows != nullptr)
      prefetch_values(addend.rows + slot * stride, stride, false);
    else
      prefetch_values(addend.half_rows + slot * stride, stride, false);
    if (addend.wide != nullptr) prefetch_values(addend.wide + slot * stride, stride, true);
  }
}

// And for where it goes.
HWY_INLINE void prefetch_results(const SpmmProblem& p, uint32_t row) {
  const size_t stride = p.source.stride;
  if (p.sums != nullptr) prefetch_values(p.sums + row * stride, stride, true);
  if (p.out != nullptr) prefetch_values(p.out + row * stride, stride, true);
}

// The first rows that a row sums.
HWY_INLINE void prefetch_first_sources(const SpmmProblem& p, uint32_t row) {
  const size_t stride = p.source.stride;
  const uint64_t end = std::min(p.offsets[row] + kRowsAhead, p.offsets[row + 1]);
  for (uint64_t e = p.offsets[row]; e < end; ++e)
    if (p.half_source != nullptr)
      prefetch_values(p.half_source + p.columns[e] * stride, stride, false);
    else
      prefetch_values(p.source.row(p.columns[e]), stride, false);
}

// The rows of a problem, one after another, by one thread.
class RowSums {
 public:
  RowSums(const SpmmProblem& problem, bool streamed)
      : p_(problem), streamed_(streamed), buffer_(problem.source.stride) {
    DIVNS_ASSERT(p_.addends.size() <= RowAddends::kMost);
  }

  HWY_INLINE void sum(uint32_t row, GatheredRows edges) {
    const size_t stride = p_.source.stride;
    const float scale = p_.row_scale[row];
    float* out = p_.out != nullptr ? p_.out + row * stride : buffer_.data();
    uint16_t* half_out = p_.half_out != nullptr ? p_.half_out + row * stride : nullptr;
    addends_.find(p_, row);
    const bool plain = addends_.empty() && p_.sums == nullptr && p_.sum_weight == 1;
    float* sums = plain ? out : p_.sums != nullptr ? p_.sums + row * stride : buffer_.data();
    if (p_.half_source == nullptr) {
      if (plain && streamed_)
        gather_rows(p_.source, edges, ToRow<true>{scale, sums});
      else
        gather_rows(p_.source, edges, ToRow<false>{scale, sums});
    } else if (plain && p_.out == nullptr) {
      gather_half_rows(p_.half_source, stride, edges, ToHalfRow{scale, half_out});
      return;
    } else {
      gather_half_rows(p_.half_source, stride, edges, ToRow<false>{scale, sums});
    }
    if (!plain) addends_.finish(p_.sum_weight, stride, sums, out);
    if (half_out != nullptr) round_row(out, stride, half_out);
  }

 private:
  const SpmmProblem& p_;
  bool streamed_;
  AlignedVector<float> buffer_;  // a row that goes nowhere else
  RowAddends addends_;
};

constexpr size_t kAddendsAhead = 4;

// The rows of a chunk that lie one after another.
void sum_rows_in_order(const SpmmProblem& p, uint32_t first, size_t count, RowSums& sums) {
  const uint64_t end = p.offsets[first + count];
  for (size_t row = first; row < first + count; ++row) {
    if (row + kAddendsAhead < first + count)
      prefetch_addends(p, static_cast<uint32_t>(row + kAddendsAhead));
    const uint64_t begin = p.offsets[row];
    sums.sum(static_cast<uint32_t>(row),
             {p.columns + begin, p.weights + begin, p.offsets[row + 1] - begin, end - begin});
  }
}

// The same from a compact source.
void sum_compact_rows(const SpmmProblem& p, uint32_t first, size_t count, RowSums& sums) {
  constexpr size_t kEdges = 1024;
  CompactEdges edges;
  for (size_t row = first; row < first + count;) {
    const size_t begin = row;
    edges.clear();
    for (; row < first + count && edges.size() < kEdges; ++row)
      edges.add_row(p, p.offsets[row], p.offsets[row + 1]);
    for (size_t r = begin; r < row; ++r) {
      if (r + kAddendsAhead < row) prefetch_addends(p, static_cast<uint32_t>(r + kAddendsAhead));
      sums.sum(static_cast<uint32_t>(r), edges.row(r - begin));
    }
  }
}

// Rows that were chosen, which lie anywhere: the first source rows of the next one, and what a row
// a little later needs besides, are asked for ahead of time.
void sum_chosen_rows(const SpmmProblem& p, const uint32_t* rows, size_t count, RowSums& sums) {
  for (size_t i = 0; i < count; ++i) {
    if (i + kAddendsAhead < count) {
      prefetch_addends(p, rows[i + kAddendsAhead]);
      prefetch_results(p, rows[i + kAddendsAhead]);
    }
    if (i + 1 < count) prefetch_first_sources(p, rows[i + 1]);
    const uint64_t begin = p.offsets[rows[i]];
    const size_t degree = p.offsets[rows[i] + 1] - begin;
    sums.sum(rows[i], {p.columns + begin, p.weights + begin, degree, degree});
  }
}

void spmm_rows(const SpmmProblem& p, const uint32_t* rows, uint32_t first, size_t count) {
  DIVNS_ASSERT(rows == nullptr || p.slots == nullptr);
  const bool streamed = rows == nullptr && streams(p);
  RowSums sums(p, streamed);
  if (rows != nullptr)
    sum_chosen_rows(p, rows, count, sums);
  else if (p.slots != nullptr)
    sum_compact_rows(p, first, count, sums);
  else
    sum_rows_in_order(p, first, count, sums);
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
  const size_t stride = p.source.stride;
  const auto value_of = [&](const float* wide, const uint16_t* half, size_t row, size_t k) {
    return double{wide != nullptr ? wide[row * stride + k] : from_bfloat16(half[row * stride + k])};
  };
  for (size_t i = 0; i < count; ++i) {
    const uint32_t row = rows != nullptr ? rows[i] : first + static_cast<uint32_t>(i);
    for (size_t k = 0; k < stride; ++k) {
      double sum = 0;
      for (uint64_t e = p.offsets[row]; e < p.offsets[row + 1]; ++e) {
        const uint32_t column = p.columns[e];
        const uint32_t source = p.slots != nullptr ? p.slots[column] : column;
        if (source == kNoSlot) continue;
        const float* wide = p.half_source != nullptr ? nullptr : p.source.data;
        sum += double{p.weights[e]} * value_of(wide, p.half_source, source, k);
      }
      sum *= double{p.row_scale[row]};
      if (p.sums != nullptr) p.sums[row * stride + k] = static_cast<float>(sum);
      double value = double{p.sum_weight} * sum;
      for (const SpmmAddend& addend : p.addends) {
        const uint32_t slot = addend.slots != nullptr ? addend.slots[row] : row;
        if (slot == kNoSlot) continue;
        const double part = value_of(addend.rows, addend.half_rows, slot, k);
        if (addend.rows == nullptr && addend.wide != nullptr)
          addend.wide[slot * stride + k] = static_cast<float>(part);
        value += double{addend.weight} * part;
      }
      const auto result = static_cast<float>(value);
      if (p.out != nullptr) p.out[row * stride + k] = result;
      if (p.half_out != nullptr) round_to_bfloat16(&result, 1, &p.half_out[row * stride + k]);
    }
  }
}

}  // namespace reference
}  // namespace divns
#endif
