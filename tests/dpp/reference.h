// SPDX-License-Identifier: Apache-2.0
// Slow and plain: the k-DPP by its dense kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "divns/random.h"
#include "dpp/feature_rows.h"

namespace divns::testing {

__extension__ using Quad = __float128;

// B B^T + eps I of the rows as they are stored.
template <class Real>
std::vector<Real> dense_kernel(const FeatureRows& rows, Real jitter) {
  const size_t n = rows.size();
  std::vector<Real> kernel(n * n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      Real sum = i == j ? jitter : Real{0};
      for (size_t c = 0; c < rows.dim(); ++c)
        sum += static_cast<Real>(rows.row(i)[c]) * static_cast<Real>(rows.row(j)[c]);
      kernel[i * n + j] = sum;
    }
  return kernel;
}

// Every gain after each pick of a given order, by LDL^T in the given precision.
template <class Real>
class DenseGreedy {
 public:
  DenseGreedy(std::vector<Real> kernel, size_t n) : kernel_(std::move(kernel)), n_(n), gain_(n) {
    for (size_t i = 0; i < n; ++i) gain_[i] = kernel_[i * n + i];
    chosen_.assign(n, false);
  }
  Real gain(size_t i) const { return gain_[i]; }
  bool is_chosen(size_t i) const { return chosen_[i]; }
  // The first of the largest.
  size_t best() const {
    size_t best = n_;
    for (size_t i = 0; i < n_; ++i)
      if (!chosen_[i] && (best == n_ || gain_[i] > gain_[best])) best = i;
    return best;
  }
  void choose(size_t j) {
    std::vector<Real> row(n_);
    for (size_t i = 0; i < n_; ++i) {
      row[i] = kernel_[j * n_ + i];
      for (size_t s = 0; s < rows_.size(); ++s) row[i] -= rows_[s][i] * rows_[s][j] / pivots_[s];
    }
    pivots_.push_back(gain_[j]);
    for (size_t i = 0; i < n_; ++i) gain_[i] -= row[i] * row[i] / pivots_.back();
    rows_.push_back(std::move(row));
    chosen_[j] = true;
  }

 private:
  std::vector<Real> kernel_;
  size_t n_;
  std::vector<Real> gain_;
  std::vector<bool> chosen_;
  std::vector<std::vector<Real>> rows_;
  std::vector<Real> pivots_;
};

// Rows straight from numbers: no normalisation, quality 1.
inline FeatureRows make_rows(const std::vector<std::vector<double>>& values) {
  FeatureRows rows;
  const size_t dim = values.empty() ? 1 : values[0].size();
  std::vector<float> flat;
  for (const auto& row : values)
    for (const double x : row) flat.push_back(static_cast<float>(x));
  std::vector<uint32_t> ids(values.size());
  std::iota(ids.begin(), ids.end(), 0U);
  rows.pack({flat.data(), static_cast<uint32_t>(values.size()), static_cast<uint32_t>(dim),
             static_cast<uint32_t>(dim)},
            ids, {}, false);
  return rows;
}

inline FeatureRows normal_rows(size_t n, size_t dim, uint32_t purpose, bool unit) {
  Draws draws = Random(11, "dpp.tests").draws(purpose);
  std::vector<std::vector<double>> values(n, std::vector<double>(dim));
  for (auto& row : values) {
    double square = 0;
    for (double& x : row) {
      x = draws.normal();
      square += x * x;
    }
    const double scale = unit ? (0.5 + 0.5 * draws.uniform()) / std::sqrt(square) : 1;
    for (double& x : row) x *= scale;
  }
  return make_rows(values);
}

inline double determinant(std::vector<double> a, size_t n) {
  double product = 1;
  for (size_t c = 0; c < n; ++c) {
    size_t pivot = c;
    for (size_t r = c; r < n; ++r)
      if (std::abs(a[r * n + c]) > std::abs(a[pivot * n + c])) pivot = r;
    if (a[pivot * n + c] == 0) return 0;
    if (pivot != c) {
      for (size_t j = 0; j < n; ++j) std::swap(a[pivot * n + j], a[c * n + j]);
      product = -product;
    }
    product *= a[c * n + c];
    for (size_t r = c + 1; r < n; ++r) {
      const double factor = a[r * n + c] / a[c * n + c];
      for (size_t j = c; j < n; ++j) a[r * n + j] -= factor * a[c * n + j];
    }
  }
  return product;
}

// det K_S for every subset of size k, in the order of combinations(); and the subsets as bit masks.
inline std::vector<uint32_t> subsets(size_t n, size_t k) {
  std::vector<uint32_t> masks;
  for (uint32_t mask = 0; mask < (1U << n); ++mask)
    if (static_cast<size_t>(__builtin_popcount(mask)) == k) masks.push_back(mask);
  return masks;
}

inline std::vector<double> subset_probabilities(const std::vector<double>& kernel, size_t n,
                                                size_t k) {
  std::vector<double> weights;
  for (const uint32_t mask : subsets(n, k)) {
    std::vector<size_t> members;
    for (size_t i = 0; i < n; ++i)
      if ((mask >> i & 1U) != 0) members.push_back(i);
    std::vector<double> minor(k * k);
    for (size_t a = 0; a < k; ++a)
      for (size_t b = 0; b < k; ++b) minor[a * k + b] = kernel[members[a] * n + members[b]];
    weights.push_back(std::max(determinant(minor, k), 0.0));
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

}  // namespace divns::testing
