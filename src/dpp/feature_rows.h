// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/scratch.h"
#include "divns/vectors.h"

namespace divns {

// The rows b_i = q_i v_i of one problem, packed in float32 and padded for the kernels. The memory
// is reused from problem to problem.
class FeatureRows {
 public:
  void reset(size_t rows, size_t dim);

  // Row i of the problem is row ids[i] of the table. Empty `quality` means all 1.
  void pack(const VectorTable& table, std::span<const uint32_t> ids,
            std::span<const double> quality, bool normalize);
  // The same with the quality of Equation 2 against the rows of a table with the same number of
  // columns, clipped to `largest_quality`.
  void pack_against(const VectorTable& table, std::span<const uint32_t> ids,
                    const VectorTable& hard, std::span<const uint32_t> against, bool normalize,
                    double largest_quality = 2);
  // The rows of `other` with keep[i] != 0.
  void pack_kept(const FeatureRows& other, std::span<const uint8_t> keep);

  size_t size() const { return rows_; }
  size_t dim() const { return dim_; }
  size_t stride() const { return stride_; }
  const float* data() const { return values_.data(); }
  const float* row(size_t i) const { return values_.data() + i * stride_; }
  float* row(size_t i) { return values_.data() + i * stride_; }
  // |b_i|^2 of the rows as stored.
  std::span<const double> squares() const { return {squares_.data(), rows_}; }
  // Gains of the first pick: exactly q_i^2 if rows were normalised, so that rounding does not break
  // ties of equal qualities; |b_i|^2 otherwise.
  std::span<const double> first_gains() const { return {first_gains_.data(), rows_}; }
  double largest_square() const;
  // Rows, squares() and first_gains() are those of 2^scale_exponent() b_i; 0 except for extreme
  // input.
  int scale_exponent() const { return scale_exponent_; }
  // q_i, as given or as computed by pack_against.
  std::span<const double> quality() const { return {quality_.data(), rows_}; }

 private:
  void gather(const VectorTable& table, std::span<const uint32_t> ids);
  void finish(bool normalize);
  void rescale_row(size_t i, double factor);
  int exponent_out_of_range(bool normalize) const;

  size_t rows_ = 0;
  size_t dim_ = 0;
  size_t stride_ = 0;
  int scale_exponent_ = 0;
  ScratchVector<float> values_;
  ScratchVector<double> squares_;
  ScratchVector<double> first_gains_;
  ScratchVector<double> quality_;
  ScratchVector<double> mean_;
  ScratchVector<float> scale_;
};

}  // namespace divns
