// SPDX-License-Identifier: Apache-2.0
#include "dpp/residual_space.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/dpp_gains.h"
#include "kernels/row_dots.h"

namespace divns {

void ResidualSpace::reset(size_t width, double jitter) {
  width_ = width;
  jitter_ = jitter;
  is_identity_ = true;
  pending_ = 0;
  recent_.resize(kFirstBlock * width);
  row_.resize(width);
  image_.resize(width);
}

double ResidualSpace::residual(const float* row) {
  std::copy(row, row + width_, row_.begin());
  if (is_identity_) {
    std::copy(row_.begin(), row_.end(), image_.begin());
  } else {
    row_dots(m_.data(), width_, width_, row_.data(), image_.data());
  }
  std::array<double, kFirstBlock> along;
  row_dots(recent_.data(), width_, pending_, row_.data(), along.data());
  subtract_combination(image_.data(), width_, recent_.data(), pending_, along.data());
  double sum = 0;
  row_dots(image_.data(), width_, 1, row_.data(), &sum);
  residual_ = std::max(sum, 0.0);
  return residual_;
}

const double* ResidualSpace::choose() {
  if (pending_ == (is_identity_ ? kFirstBlock : kBlock)) flush();
  // |M b|^2 <= b^T M b because 0 <= M <= I. If rounding violates this, only noise remains of b, and
  // dividing by a smaller number would amplify it.
  double square = 0;
  row_dots(image_.data(), width_, 1, image_.data(), &square);
  const double gain = jitter_ + std::max(residual_, square);
  // Without jitter nothing may be left of a row at all; then it changes nothing.
  const double scale = gain > 0 ? 1 / std::sqrt(gain) : 0;
  double* const w = recent_.data() + pending_ * width_;
  for (size_t c = 0; c < width_; ++c) w[c] = image_[c] * scale;
  ++pending_;
  return w;
}

void ResidualSpace::flush() {
  if (is_identity_) {
    m_.resize(width_ * width_);
    std::fill(m_.begin(), m_.end(), 0.0);
    for (size_t c = 0; c < width_; ++c) m_[c * width_ + c] = 1;
    is_identity_ = false;
  }
  subtract_outer_products(m_.data(), width_, recent_.data(), pending_);
  pending_ = 0;
}

const double* ResidualSpace::matrix() {
  if (is_identity_ || pending_ > 0) flush();
  return m_.data();
}

double ResidualSpace::norm() {
  const double* const m = matrix();
  double squares = 0;
  row_dots(m, width_ * width_, 1, m, &squares);
  return std::sqrt(squares);
}

}  // namespace divns
