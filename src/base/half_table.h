// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/aligned.h"
#include "base/table.h"

namespace divns {

// A copy of a Table in half the bytes, two columns a word (kernels/bfloat16.h): rows of the same
// stride, counted in columns.
class HalfTable {
 public:
  HalfTable() = default;
  HalfTable(uint32_t rows, uint32_t dim)
      : words_(padded(dim) / 2), data_(size_t{rows} * words_, uint32_t{0}) {}

  uint32_t* data() { return data_.data(); }
  const uint32_t* data() const { return data_.data(); }
  uint32_t* row(size_t i) { return data_.data() + i * words_; }
  // As Table's.
  void resize_rows(uint32_t rows) { data_.resize(std::max(data_.size(), size_t{rows} * words_)); }

 private:
  uint32_t words_ = 0;  // of a row
  AlignedVector<uint32_t> data_;
};

}  // namespace divns
