// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/scratch.h"
#include "divns/table.h"
#include "divns/vectors.h"
#include "kernels/gemm.h"

namespace divns {

// A large square matrix, divided into panels of kWidth columns. Each panel is a separate row-major
// table, so that a tile of kWidth x kWidth occupies few pages, and sums of rows proceed panel by
// panel. Only the padding is initialised.
class PanelMatrix {
 public:
  static constexpr uint32_t kWidth = 256;

  PanelMatrix() = default;
  explicit PanelMatrix(uint32_t n)
      : n_(n), data_(n == 0 ? 0 : panel_start(panels() - 1) + size_t{n} * stride(panels() - 1)) {
    if (n == 0) return;
    const uint32_t last = panels() - 1;
    for (uint32_t i = 0; i < n; ++i)
      std::fill(row(i, last) + width(last), row(i, last) + stride(last), 0.0F);
  }

  // Bytes that a matrix of n rows takes.
  static double gib(uint32_t n) { return 4.0 * n * padded(n) / (1U << 30U); }

  uint32_t size() const { return n_; }
  uint32_t panels() const { return (n_ + kWidth - 1) / kWidth; }
  static uint32_t begin(uint32_t panel) { return panel * kWidth; }
  uint32_t width(uint32_t panel) const { return std::min(kWidth, n_ - begin(panel)); }
  uint32_t stride(uint32_t panel) const { return padded(width(panel)); }

  float* row(uint32_t i, uint32_t panel) { return data_.data() + place(i, panel); }
  const float* row(uint32_t i, uint32_t panel) const { return data_.data() + place(i, panel); }
  float& at(uint32_t i, uint32_t j) { return row(i, j / kWidth)[j % kWidth]; }
  float at(uint32_t i, uint32_t j) const { return row(i, j / kWidth)[j % kWidth]; }
  VectorTable panel(uint32_t p) const { return {row(0, p), n_, width(p), stride(p)}; }

  // The tile in panel `across`, at the rows of panel `down`.
  float* tile_data(uint32_t down, uint32_t across) { return row(begin(down), across); }
  MatrixView tile(uint32_t down, uint32_t across) const {
    return {row(begin(down), across), width(down), width(across), stride(across)};
  }

 private:
  size_t panel_start(uint32_t panel) const { return size_t{n_} * begin(panel); }
  size_t place(uint32_t i, uint32_t panel) const {
    return panel_start(panel) + size_t{i} * stride(panel);
  }

  uint32_t n_ = 0;
  ScratchVector<float> data_;
};

}  // namespace divns
