// SPDX-License-Identifier: Apache-2.0
#include "dpp/feature_rows.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "base/check.h"
#include "kernels/row_dots.h"

namespace divns {
void FeatureRows::reset(size_t rows, size_t dim) {
  rows_ = rows;
  dim_ = dim;
  stride_ = padded_width(dim);
  scale_exponent_ = 0;
  values_.resize(rows * stride_);
  squares_.resize(rows);
  first_gains_.resize(rows);
}

void FeatureRows::gather(const VectorTable& table, std::span<const uint32_t> ids) {
  reset(ids.size(), table.dim);
  for (size_t i = 0; i < ids.size(); ++i) {
    std::copy_n(table.row(ids[i]), dim_, row(i));
    std::fill(row(i) + dim_, row(i) + stride_, 0.0F);
  }
  row_squares(data(), stride_, rows_, squares_.data());
  for (size_t i = 0; i < rows_; ++i)
    if (!std::isfinite(squares_[i]))
      fail(
          "the vector of item {} holds a number that is not finite. If it comes from a training, "
          "the training has diverged.",
          ids[i]);
}

// Converts v (in the rows) and q (in quality_) to b.
//
// The largest |b|^2 must neither overflow nor vanish in float32. Where it would, all rows are
// scaled by the same power of two, which is exact, and scale_exponent() is that exponent. The
// choice is then that of the unscaled rows with a jitter that is scaled in the same way.
void FeatureRows::finish(bool normalize) {
  scale_.resize(rows_);
  scale_exponent_ = exponent_out_of_range(normalize);
  for (size_t i = 0; i < rows_; ++i) {
    const double q = std::ldexp(quality_[i], scale_exponent_);
    const bool divide = normalize && squares_[i] > 0;
    const double factor = divide ? q / std::sqrt(squares_[i]) : q;
    scale_[i] = static_cast<float>(factor);
    first_gains_[i] = divide ? q * q : q * q * squares_[i];
    if (std::isinf(scale_[i]) || std::fpclassify(scale_[i]) == FP_SUBNORMAL) rescale_row(i, factor);
  }
  scale_rows(values_.data(), stride_, rows_, scale_.data());
  row_squares(data(), stride_, rows_, squares_.data());
}

// Very short and very long rows need a factor beyond the normal range of float32: it is applied
// here, in float64.
void FeatureRows::rescale_row(size_t i, double factor) {
  for (size_t c = 0; c < dim_; ++c)
    row(i)[c] = static_cast<float>(static_cast<double>(row(i)[c]) * factor);
  scale_[i] = 1;
}

// 0 where the longest row is of ordinary length.
int FeatureRows::exponent_out_of_range(bool normalize) const {
  int largest = INT_MIN;
  for (size_t i = 0; i < rows_; ++i) {
    if (squares_[i] == 0 || quality_[i] == 0) continue;
    const int of_row = normalize ? 0 : std::ilogb(squares_[i]) / 2;
    largest = std::max(largest, std::ilogb(quality_[i]) + of_row);
  }
  constexpr int kOrdinary = 40;
  return largest == INT_MIN || std::abs(largest) <= kOrdinary ? 0 : -largest;
}

void FeatureRows::pack(const VectorTable& table, std::span<const uint32_t> ids,
                       std::span<const double> quality, bool normalize) {
  gather(table, ids);
  quality_.assign(quality.begin(), quality.end());
  quality_.resize(rows_, 1.0);
  finish(normalize);
}

void FeatureRows::pack_against(const VectorTable& table, std::span<const uint32_t> ids,
                               const VectorTable& hard, std::span<const uint32_t> against,
                               bool normalize, double largest_quality) {
  // 1 - mean_h cos(v, h) = 1 - v . mean / |v|, with the mean of the unit vectors of H.
  gather(hard, against);
  mean_.assign(padded_width(table.dim), 0.0);
  for (size_t h = 0; h < against.size(); ++h) {
    if (squares_[h] == 0) continue;
    const double scale = 1 / (std::sqrt(squares_[h]) * static_cast<double>(against.size()));
    for (size_t c = 0; c < dim_; ++c) mean_[c] += scale * static_cast<double>(row(h)[c]);
  }
  gather(table, ids);
  quality_.resize(rows_);
  row_dots(data(), stride_, rows_, mean_.data(), quality_.data());
  for (size_t i = 0; i < rows_; ++i)
    quality_[i] = squares_[i] == 0
                      ? 1.0
                      : std::clamp(1 - quality_[i] / std::sqrt(squares_[i]), 0.0, largest_quality);
  finish(normalize);
}

void FeatureRows::pack_kept(const FeatureRows& other, std::span<const uint8_t> keep) {
  const auto is_kept = [](uint8_t flag) { return flag != 0; };
  reset(static_cast<size_t>(std::count_if(keep.begin(), keep.end(), is_kept)), other.dim_);
  size_t next = 0;
  for (size_t i = 0; i < keep.size(); ++i) {
    if (!is_kept(keep[i])) continue;
    std::copy_n(other.row(i), stride_, row(next));
    squares_[next] = other.squares_[i];
    first_gains_[next] = other.first_gains_[i];
    ++next;
  }
  scale_exponent_ = other.scale_exponent_;
}

double FeatureRows::largest_square() const {
  double largest = 0;
  for (const double square : squares()) largest = std::max(largest, square);
  return largest;
}

}  // namespace divns
