// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/aligned.h"
#include "base/table.h"

namespace divns {

// A copy of a Table in bfloat16, the upper half of a float32: rows of the same stride, half the
// bytes.
class HalfTable {
 public:
  HalfTable() = default;
  HalfTable(uint32_t rows, uint32_t dim)
      : stride_(padded(dim)), data_(size_t{rows} * padded(dim), uint16_t{0}) {}

  uint16_t* data() { return data_.data(); }
  const uint16_t* data() const { return data_.data(); }
  uint16_t* row(size_t i) { return data_.data() + i * stride_; }
  // As Table's.
  void resize_rows(uint32_t rows) { data_.resize(std::max(data_.size(), size_t{rows} * stride_)); }

 private:
  uint32_t stride_ = 0;
  AlignedVector<uint16_t> data_;
};

}  // namespace divns
