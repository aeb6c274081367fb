// SPDX-License-Identifier: Apache-2.0
#include "train/row_math.h"

#include <algorithm>
#include <cmath>

namespace divns {
namespace {

double squared_norm(const float* e, size_t width) {
  return double{dot(e, e, width)};
}

}  // namespace

void RowScores::resize(size_t rows, size_t per_row) {
  per_row_ = per_row;
  losses_.resize(rows);
  users_.resize(rows);
  positive_scores_.resize(rows);
  positive_slopes_.resize(rows);
  negative_scores_.resize(rows * per_row);
  negative_slopes_.resize(rows * per_row);
}

void RowScores::apply(const Loss& loss, size_t begin, size_t end, float share,
                      std::span<const float> importance, std::span<const float> row_weights) {
  const auto by_row = [&](auto values) {
    return values.empty() ? values : values.subspan(begin, end - begin);
  };
  const auto by_negative = [&](auto values) {
    return values.empty() ? values : values.subspan(begin * per_row_, (end - begin) * per_row_);
  };
  loss.rows({.negatives_per_row = per_row_,
             .positive_scores = by_row(std::span<const float>(positive_scores_)),
             .negative_scores = by_negative(std::span<const float>(negative_scores_)),
             .users = by_row(std::span<const uint32_t>(users_)),
             .importance = by_negative(importance),
             .row_weights = by_row(row_weights),
             .share = share},
            {.losses = by_row(std::span(losses_)),
             .positive_slopes = by_row(std::span(positive_slopes_)),
             .negative_slopes = by_negative(std::span(negative_slopes_))});
}

RowScores::Totals RowScores::totals(std::span<const uint32_t> order) const {
  double losses = 0;
  double positives = 0;
  double negatives = 0;
  for (size_t i = 0; i < rows(); ++i) {
    const size_t row = order.empty() ? i : order[i];
    losses += losses_[row];
    positives += double{positive_scores_[row]};
    for (size_t k = 0; k < per_row_; ++k) negatives += double{negative_scores_[row * per_row_ + k]};
  }
  const float share = 1.0F / static_cast<float>(rows());
  return {losses * double{share},
          negatives / static_cast<double>(rows() * per_row_) - positives * double{share}};
}

void WeightedRows::add_to(const VectorTable& table, float* out, AlignedVector<float>& sum) {
  if (ids_.empty()) return;
  sum.resize(table.stride);
  store(table, sum.data());
  axpy(1, sum.data(), out, table.stride);
}

void through_unit_length(const float* e, const float* v, float* gradient, size_t width) {
  axpy(-dot(v, gradient, width), v, gradient, width);
  const float norm = std::sqrt(dot(e, e, width));
  const float inverse = norm > 0 ? 1 / norm : 0;
  for (size_t k = 0; k < width; ++k) gradient[k] *= inverse;
}

Penalty::Penalty(const ObjectiveOptions& options, size_t batch_size) {
  const double user = options.l2_user.value_or(options.l2);
  const double positive = options.l2_positive.value_or(options.l2);
  const double negative = options.l2_negative.value_or(options.l2);
  const double largest = std::max({user, positive, negative});
  per_row_ = largest / static_cast<double>(batch_size);
  half_per_row_ = largest / (2 * static_cast<double>(batch_size));
  if (largest == 0) return;
  user_ = user / largest;
  positive_ = positive / largest;
  negative_ = negative / largest;
}

double Penalty::add_user(const float* e, size_t rows, float* gradient, size_t width) const {
  const double weight = user_ * static_cast<double>(rows);
  axpy(static_cast<float>(per_row_ * weight), e, gradient, width);
  return weight * squared_norm(e, width);
}

double Penalty::add_item(const float* e, size_t positives, double negatives, float* gradient,
                         size_t width) const {
  const double weight = positive_ * static_cast<double>(positives) + negative_ * negatives;
  axpy(static_cast<float>(per_row_) * static_cast<float>(weight), e, gradient, width);
  return weight * squared_norm(e, width);
}

double Penalty::mixed(const float* e, size_t width) const {
  return negative_ * squared_norm(e, width);
}

}  // namespace divns
