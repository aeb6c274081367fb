// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "divns/aligned.h"
#include "divns/table.h"
#include "kernels/bfloat16.h"

namespace divns {

// A copy of a Table with 16 bits per value, two columns per word (kernels/bfloat16.h). Rows have
// the same stride, counted in columns.
class HalfTable {
 public:
  HalfTable() = default;
  HalfTable(uint32_t rows, uint32_t dim)
      : words_(padded(dim) / 2), data_(size_t{rows} * words_, uint32_t{0}) {}

  uint32_t* data() { return data_.data(); }
  const uint32_t* data() const { return data_.data(); }
  uint32_t* row(size_t i) { return data_.data() + i * words_; }
  // As in Table.
  void resize_rows(uint32_t rows) { data_.resize(std::max(data_.size(), size_t{rows} * words_)); }

 private:
  uint32_t words_ = 0;  // words per row
  AlignedVector<uint32_t> data_;
};

// A half-precision copy of a table: row r holds scales[r] * table.row(r). The copy is kept current
// by those who write the table. Without `rows` there is no copy.
struct HalfCopy {
  HalfTable* rows = nullptr;
  std::span<const float> scales = {};

  void write(size_t row, const float* values, size_t stride) const {
    round_to_pairs(scales[row], values, stride, rows->row(row));
  }
};

}  // namespace divns
