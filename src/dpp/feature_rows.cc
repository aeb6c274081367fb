// SPDX-License-Identifier: Apache-2.0
#include "dpp/feature_rows.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/row_dots.h"

namespace divns {
namespace {
// Beyond this, float32 products of two lengths could overflow.
constexpr double kLargestSquare = 1e30;
}  // namespace

void FeatureRows::reset(size_t rows, size_t dim) {
  rows_ = rows;
  dim_ = dim;
  stride_ = padded_width(dim);
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
    if (!(squares_[i] <= kLargestSquare))
      fail(
          "the vector of item {} has the squared length {}; expected finite numbers, at most {:g} "
          "squared: did the training diverge?",
          ids[i], squares_[i], kLargestSquare);
}

// Rows hold v and quality_ holds q: makes them b.
void FeatureRows::finish(bool normalize) {
  scale_.resize(rows_);
  for (size_t i = 0; i < rows_; ++i) {
    const double q = quality_[i];
    const bool divide = normalize && squares_[i] > 0;
    scale_[i] = static_cast<float>(divide ? q / std::sqrt(squares_[i]) : q);
    first_gains_[i] = divide ? q * q : q * q * squares_[i];
  }
  scale_rows(values_.data(), stride_, rows_, scale_.data());
  row_squares(data(), stride_, rows_, squares_.data());
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
}

double FeatureRows::largest_square() const {
  double largest = 0;
  for (const double square : squares()) largest = std::max(largest, square);
  return largest;
}

}  // namespace divns
