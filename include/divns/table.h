// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "divns/aligned.h"
#include "divns/vectors.h"

namespace divns {

// Rows are padded with zeros to a multiple of this many floats, so that kernels have no tails.
inline constexpr uint32_t kRowQuantum = 8;

constexpr uint32_t padded(uint32_t dim) {
  return (dim + kRowQuantum - 1) / kRowQuantum * kRowQuantum;
}

// An owned row-major table of float vectors, zero at first.
class Table {
 public:
  Table() = default;
  Table(uint32_t rows, uint32_t dim)
      : rows_(rows), dim_(dim), stride_(padded(dim)), data_(size_t{rows} * padded(dim), 0.0F) {}

  uint32_t rows() const { return rows_; }
  uint32_t dim() const { return dim_; }
  uint32_t stride() const { return stride_; }
  size_t size() const { return data_.size(); }
  float* data() { return data_.data(); }
  const float* data() const { return data_.data(); }
  float* row(size_t i) { return data_.data() + i * stride_; }
  const float* row(size_t i) const { return data_.data() + i * stride_; }
  VectorTable view() const { return {data_.data(), rows_, dim_, stride_}; }

  // For scratch whose number of rows changes from batch to batch: never shrinks its memory. Rows
  // that stay keep what they hold; what rows beyond them hold is unspecified.
  void resize_rows(uint32_t rows) {
    rows_ = rows;
    data_.resize(std::max(data_.size(), size_t{rows} * stride_));
  }

 private:
  uint32_t rows_ = 0;
  uint32_t dim_ = 0;
  uint32_t stride_ = 0;
  AlignedVector<float> data_;
};

}  // namespace divns
