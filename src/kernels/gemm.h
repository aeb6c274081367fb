// SPDX-License-Identifier: Apache-2.0
// Products of small and medium-sized matrices.
//
// Each element of the result is one chain of fused multiply-adds over k, first to last. Its bits do
// not depend on how the rows are divided among calls or threads.
#pragma once

#include <cstddef>

#include "divns/aligned.h"

namespace divns {

// Element (i, j) is data[i * row_step + j * column_step]; transposing swaps the steps.
struct MatrixView {
  const float* data = nullptr;
  size_t rows = 0;
  size_t columns = 0;
  size_t row_step = 0;
  size_t column_step = 1;

  MatrixView transposed() const { return {data, columns, rows, column_step, row_step}; }
  MatrixView part(size_t first_row, size_t row_count, size_t first_column,
                  size_t column_count) const {
    return {data + first_row * row_step + first_column * column_step, row_count, column_count,
            row_step, column_step};
  }
};

// C = A B, or C += A B; row i of C starts at c + i * c_step.
void gemm(MatrixView a, MatrixView b, float* c, size_t c_step, bool add = false);

// A right factor in the order in which products read it, for several products with the same matrix.
class PackedMatrix {
 public:
  void pack(MatrixView b);

  size_t rows() const { return rows_; }
  size_t columns() const { return columns_; }
  const float* data() const { return data_.data(); }

 private:
  size_t rows_ = 0;
  size_t columns_ = 0;
  AlignedVector<float> data_;
};

// The same bits as with the matrix that was packed.
void gemm(MatrixView a, const PackedMatrix& b, float* c, size_t c_step, bool add = false);

namespace reference {
// The reference sums in float64.
void gemm(MatrixView a, MatrixView b, float* c, size_t c_step, bool add = false);
}  // namespace reference
}  // namespace divns
