// SPDX-License-Identifier: Apache-2.0
#include "dpp/projection_dpp.h"

#include <algorithm>
#include <cmath>

#include "kernels/dpp_gains.h"
#include "kernels/row_dots.h"

namespace divns {
namespace {

// The row at which the running sum of the probabilities passes a uniform share of their total; only
// rows with a positive probability.
size_t draw_row(const ScratchVector<double>& chances, Draws& draws) {
  double total = 0;
  for (const double chance : chances) total += chance;
  const double target = draws.uniform() * total;
  double sum = 0;
  size_t last = 0;
  for (size_t i = 0; i < chances.size(); ++i) {
    if (chances[i] <= 0) continue;
    sum += chances[i];
    last = i;
    if (sum > target) break;
  }
  return last;
}

}  // namespace

void Frame::reset(size_t n, size_t k) {
  rows = n;
  columns = k;
  stride = padded_width(k);
  values.resize(n * stride);
  std::fill(values.begin(), values.end(), 0.0);
}

void ProjectionDpp::draw(const Frame& frame, Draws& draws, ScratchVector<uint32_t>& chosen) {
  const size_t n = frame.rows;
  const size_t k = frame.columns;
  const size_t width = frame.stride;
  chances_.resize(n);
  dots_.resize(n);
  along_.resize(k);
  directions_.resize(k * width);
  // P(i first) = |y_i|^2 / k; later picks use the part of y that is orthogonal to the chosen rows.
  for (size_t i = 0; i < n; ++i) row_dots(frame.row(i), width, 1, frame.row(i), &chances_[i]);
  for (size_t t = 0; t < k; ++t) {
    const size_t pick = draw_row(chances_, draws);
    chosen.push_back(static_cast<uint32_t>(pick));
    double* const direction = directions_.data() + t * width;
    std::copy_n(frame.row(pick), width, direction);
    // Twice, because one pass leaves a residue if little of the row remains.
    for (int pass = 0; pass < 2; ++pass) {
      row_dots(directions_.data(), width, t, direction, along_.data());
      subtract_combination(direction, width, directions_.data(), t, along_.data());
    }
    double square = 0;
    row_dots(direction, width, 1, direction, &square);
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (size_t c = 0; c < width; ++c) direction[c] *= scale;
    row_dots(frame.values.data(), width, n, direction, dots_.data());
    for (size_t i = 0; i < n; ++i) chances_[i] = std::max(chances_[i] - dots_[i] * dots_[i], 0.0);
    chances_[pick] = 0;
    for (size_t s = chosen.size() - t - 1; s < chosen.size(); ++s) chances_[chosen[s]] = 0;
  }
}

}  // namespace divns
