// SPDX-License-Identifier: Apache-2.0
#include "numerics/set_diversity.h"

#include <algorithm>
#include <cmath>

namespace divns {

SetDiversity::SetDiversity(uint32_t sets, uint32_t dim)
    : dim_(dim), sums_(size_t{sets} * dim, 0), counts_(sets, 0), units_(sets, 0) {}

void SetDiversity::add(uint32_t set, const float* vector) {
  double square = 0;
  for (uint32_t k = 0; k < dim_; ++k) square += static_cast<double>(vector[k]) * vector[k];
  ++counts_[set];
  if (square == 0) return;
  ++units_[set];
  const double scale = 1 / std::sqrt(square);
  double* sum = &sums_[size_t{set} * dim_];
  for (uint32_t k = 0; k < dim_; ++k) sum[k] += scale * vector[k];
}

std::optional<double> SetDiversity::of(uint32_t set) const {
  const double n = counts_[set];
  if (n < 2) return std::nullopt;
  double square = 0;
  for (uint32_t k = 0; k < dim_; ++k) {
    const double value = sums_[size_t{set} * dim_ + k];
    square += value * value;
  }
  return 1 - (square - units_[set]) / (n * (n - 1));
}

void SetDiversity::clear() {
  std::fill(sums_.begin(), sums_.end(), 0);
  std::fill(counts_.begin(), counts_.end(), 0U);
  std::fill(units_.begin(), units_.end(), 0U);
}

}  // namespace divns
