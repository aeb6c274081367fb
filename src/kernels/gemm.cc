// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/check.h"
#include "kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Number of columns of B that are packed together, number of rows of A that share a load of them
// (twelve accumulators with AVX2), and the depth at which a panel fits in the first-level cache.
constexpr size_t kPanel = 16;
constexpr size_t kTile = 6;
constexpr size_t kDepth = 256;

// panel[k][j] = b(k, j); columns past n are zero.
HWY_INLINE void pack(MatrixView b, float* HWY_RESTRICT panel) {
  const size_t depth = b.rows;
  if (b.columns == kPanel && b.column_step == 1) {
    for (size_t k = 0; k < depth; ++k)
      std::copy_n(b.data + k * b.row_step, kPanel, panel + k * kPanel);
    return;
  }
  std::fill_n(panel, depth * kPanel, 0.0F);
  for (size_t j = 0; j < b.columns; ++j)
    for (size_t k = 0; k < depth; ++k)
      panel[k * kPanel + j] = b.data[k * b.row_step + j * b.column_step];
}

// kRows x kPanel elements of C, two vectors of columns at a time; all are written.
template <size_t kRows>
HWY_INLINE void tile(MatrixView a, const float* HWY_RESTRICT panel, float* c, size_t c_step,
                     bool add) {
  const Lanes8 d;
  using V = hn::Vec<Lanes8>;
  const size_t lanes = hn::Lanes(d);
  for (size_t j = 0; j < kPanel; j += 2 * lanes) {
    V left[kRows];
    V right[kRows];
    for (size_t i = 0; i < kRows; ++i) {
      left[i] = add ? hn::LoadU(d, c + i * c_step + j) : hn::Zero(d);
      right[i] = add ? hn::LoadU(d, c + i * c_step + j + lanes) : hn::Zero(d);
    }
    for (size_t k = 0; k < a.columns; ++k) {
      const V b0 = hn::Load(d, panel + k * kPanel + j);
      const V b1 = hn::Load(d, panel + k * kPanel + j + lanes);
      for (size_t i = 0; i < kRows; ++i) {
        const V x = hn::Set(d, a.data[i * a.row_step + k * a.column_step]);
        left[i] = hn::MulAdd(x, b0, left[i]);
        right[i] = hn::MulAdd(x, b1, right[i]);
      }
    }
    for (size_t i = 0; i < kRows; ++i) {
      hn::StoreU(left[i], d, c + i * c_step + j);
      hn::StoreU(right[i], d, c + i * c_step + j + lanes);
    }
  }
}

HWY_INLINE void tile_of(MatrixView a, const float* panel, float* c, size_t c_step, bool add) {
  switch (a.rows) {
    case 1:
      return tile<1>(a, panel, c, c_step, add);
    case 2:
      return tile<2>(a, panel, c, c_step, add);
    case 3:
      return tile<3>(a, panel, c, c_step, add);
    case 4:
      return tile<4>(a, panel, c, c_step, add);
    case 5:
      return tile<5>(a, panel, c, c_step, add);
    default:
      return tile<kTile>(a, panel, c, c_step, add);
  }
}

// C = A P for a panel P of `columns` columns; C += A P if `onto`.
HWY_INLINE void panel_product(MatrixView a, const float* HWY_RESTRICT panel, size_t columns,
                              float* c, size_t c_step, bool onto) {
  alignas(64) float edge[kTile * kPanel];
  for (size_t i = 0; i < a.rows; i += kTile) {
    const size_t rows = std::min(kTile, a.rows - i);
    const MatrixView part = a.part(i, rows, 0, a.columns);
    float* out = c + i * c_step;
    if (columns == kPanel) {
      tile_of(part, panel, out, c_step, onto);
      continue;
    }
    for (size_t r = 0; onto && r < rows; ++r)
      std::copy_n(out + r * c_step, columns, edge + r * kPanel);
    tile_of(part, panel, edge, kPanel, onto);
    for (size_t r = 0; r < rows; ++r) std::copy_n(edge + r * kPanel, columns, out + r * c_step);
  }
}

HWY_INLINE void set_zero(MatrixView a, size_t columns, float* c, size_t c_step) {
  for (size_t i = 0; i < a.rows; ++i) std::fill_n(c + i * c_step, columns, 0.0F);
}

void gemm(MatrixView a, MatrixView b, float* c, size_t c_step, bool add) {
  alignas(64) float panel[kDepth * kPanel];
  if (a.columns == 0 && !add) set_zero(a, b.columns, c, c_step);
  for (size_t k = 0; k < a.columns; k += kDepth) {
    const size_t depth = std::min(kDepth, a.columns - k);
    for (size_t j = 0; j < b.columns; j += kPanel) {
      const size_t columns = std::min(kPanel, b.columns - j);
      pack(b.part(k, depth, j, columns), panel);
      panel_product(a.part(0, a.rows, k, depth), panel, columns, c + j, c_step, add || k > 0);
    }
  }
}

// Slices of kDepth rows; within a slice, panels of kPanel columns.
void pack_all(MatrixView b, float* out) {
  for (size_t k = 0; k < b.rows; k += kDepth)
    for (size_t j = 0; j < b.columns; j += kPanel) {
      const size_t depth = std::min(kDepth, b.rows - k);
      pack(b.part(k, depth, j, std::min(kPanel, b.columns - j)), out);
      out += depth * kPanel;
    }
}

// A slice that fits in the first-level cache is read once per tile of rows, so that A is read once;
// a larger one panel by panel.
constexpr size_t kSmallSlice = 6144;

void gemm_packed(MatrixView a, const PackedMatrix& b, float* c, size_t c_step, bool add) {
  const float* slice = b.data();
  if (a.columns == 0 && !add) set_zero(a, b.columns(), c, c_step);
  const size_t panels = (b.columns() + kPanel - 1) / kPanel;
  for (size_t k = 0; k < a.columns; k += kDepth) {
    const size_t depth = std::min(kDepth, a.columns - k);
    const size_t each = depth * kPanel * panels <= kSmallSlice ? kTile : a.rows;
    for (size_t i = 0; i < a.rows; i += each)
      for (size_t p = 0; p < panels; ++p)
        panel_product(a.part(i, std::min(each, a.rows - i), k, depth), slice + p * depth * kPanel,
                      std::min(kPanel, b.columns() - p * kPanel), c + i * c_step + p * kPanel,
                      c_step, add || k > 0);
    slice += depth * kPanel * panels;
  }
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(gemm);
HWY_EXPORT(pack_all);
HWY_EXPORT(gemm_packed);

void gemm(MatrixView a, MatrixView b, float* c, size_t c_step, bool add) {
  DIVNS_ASSERT(a.columns == b.rows);
  HWY_DYNAMIC_DISPATCH(gemm)(a, b, c, c_step, add);
}

void PackedMatrix::pack(MatrixView b) {
  constexpr size_t kPanel = 16;  // of every instruction set
  rows_ = b.rows;
  columns_ = b.columns;
  data_.resize(rows_ * ((columns_ + kPanel - 1) / kPanel) * kPanel);
  HWY_DYNAMIC_DISPATCH(pack_all)(b, data_.data());
}

void gemm(MatrixView a, const PackedMatrix& b, float* c, size_t c_step, bool add) {
  DIVNS_ASSERT(a.columns == b.rows());
  HWY_DYNAMIC_DISPATCH(gemm_packed)(a, b, c, c_step, add);
}

namespace reference {

void gemm(MatrixView a, MatrixView b, float* c, size_t c_step, bool add) {
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t j = 0; j < b.columns; ++j) {
      double sum = add ? double{c[i * c_step + j]} : 0.0;
      for (size_t k = 0; k < a.columns; ++k)
        sum += double{a.data[i * a.row_step + k * a.column_step]} *
               double{b.data[k * b.row_step + j * b.column_step]};
      c[i * c_step + j] = static_cast<float>(sum);
    }
}

}  // namespace reference
}  // namespace divns
#endif
