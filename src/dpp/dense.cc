// SPDX-License-Identifier: Apache-2.0
// k-DPP of a kernel that is given as a matrix.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/check.h"
#include "divns/dpp.h"
#include "dpp/elementary_symmetric.h"
#include "dpp/projection_dpp.h"
#include "dpp/tolerance.h"
#include "linalg/symmetric_eigen.h"

namespace divns {
namespace {

void check_kernel(std::span<const double> kernel, size_t n, const DppConfig& config) {
  if (kernel.size() != n * n)
    fail("the kernel has {} numbers; expected n x n = {} for n = {}.", kernel.size(), n * n, n);
  if (config.rank_policy == RankPolicy::kRounds)
    fail(
        "the rank policy 'rounds' needs feature vectors; with a kernel matrix use 'jitter' or "
        "'stop'.");
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      const double a = kernel[i * n + j], b = kernel[j * n + i];
      if (!std::isfinite(a) || std::abs(a - b) > 1e-9 * (std::abs(a) + std::abs(b)))
        fail(
            "the kernel is not a symmetric matrix of finite numbers: entry ({}, {}) is {}, entry "
            "({}, {}) is {}.",
            i, j, a, j, i, b);
    }
}

double largest_diagonal(std::span<const double> kernel, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, kernel[i * n + i]);
  return largest;
}

// Incremental Cholesky: row t of the factor is the part of K[pick, :] that earlier rows do not
// explain.
class DenseCholesky {
 public:
  DenseCholesky(std::span<const double> kernel, size_t n, double jitter)
      : kernel_(kernel), n_(n), jitter_(jitter), left_(n) {
    for (size_t i = 0; i < n; ++i) left_[i] = kernel[i * n + i];
  }
  double residual(size_t i) const { return left_[i]; }
  size_t best() const {
    return static_cast<size_t>(std::max_element(left_.begin(), left_.end()) - left_.begin());
  }
  // Chooses row i; returns its gain.
  double choose(size_t i) {
    const double gain = jitter_ + std::max(left_[i], 0.0);
    left_[i] = -1;
    if (gain <= 0) return gain;
    const size_t t = factor_.size() / n_;
    factor_.resize(factor_.size() + n_);
    double* const row = factor_.data() + t * n_;
    std::copy_n(kernel_.begin() + static_cast<ptrdiff_t>(i * n_), n_, row);
    for (size_t s = 0; s < t; ++s) {
      const double along = factor_[s * n_ + i];
      for (size_t j = 0; j < n_; ++j) row[j] -= along * factor_[s * n_ + j];
    }
    const double scale = 1 / std::sqrt(gain);
    for (size_t j = 0; j < n_; ++j) {
      row[j] *= scale;
      if (left_[j] > 0) left_[j] = std::max(left_[j] - row[j] * row[j], 0.0);
    }
    return gain;
  }

 private:
  std::span<const double> kernel_;
  size_t n_;
  double jitter_;
  std::vector<double> left_;  // negative once chosen
  std::vector<double> factor_;
};

void add(DppSelection& selection, size_t row, double gain) {
  selection.items.push_back(static_cast<uint32_t>(row));
  selection.gains.push_back(gain);
  selection.log_det += std::log(gain);
}

}  // namespace

DppSelection dpp_greedy_dense(std::span<const double> kernel, size_t n, size_t k,
                              const DppConfig& config) {
  check_kernel(kernel, n, config);
  const bool stops = config.rank_policy == RankPolicy::kStop;
  const double smallest = stops ? kRankTolerance * largest_diagonal(kernel, n) : -1;
  DenseCholesky cholesky(kernel, n, stops ? 0 : config.jitter);
  DppSelection selection;
  while (selection.items.size() < std::min(k, n)) {
    const size_t best = cholesky.best();
    if (cholesky.residual(best) <= smallest) break;
    add(selection, best, cholesky.choose(best));
  }
  return selection;
}

DenseKdpp::DenseKdpp(std::span<const double> kernel, size_t n, const DppConfig& config)
    : kernel_(kernel),
      n_(n),
      jitter_(config.rank_policy == RankPolicy::kStop ? 0 : config.jitter),
      eigenvalues_(n) {
  check_kernel(kernel, n, config);
  SymmetricEigen eigen = symmetric_eigen(kernel.data(), n, n);
  const double largest = n == 0 ? 0 : std::max(eigen.values[n - 1], 0.0);
  if (n > 0 && eigen.values[0] < -1e-6 * std::max(largest, jitter_))
    fail("the kernel is not positive semidefinite: its smallest eigenvalue is {}.",
         eigen.values[0]);
  for (size_t r = 0; r < n; ++r) {
    const bool counts = eigen.values[r] > kRankTolerance * largest;
    eigenvalues_[r] = (counts ? eigen.values[r] : 0) + jitter_;
    if (eigenvalues_[r] > 0) ++rank_;
  }
  eigenvectors_ = std::move(eigen.vectors);
}

DppSelection DenseKdpp::draw(size_t k, uint64_t seed) const {
  k = std::min(k, rank_);
  Draws draws = Random(seed, "dpp.exact").draws();
  std::vector<size_t> chosen;
  ElementarySymmetric(eigenvalues_, k).draw(k, draws, chosen);
  Frame frame;
  frame.reset(n_, k);
  for (size_t c = 0; c < k; ++c)
    for (size_t i = 0; i < n_; ++i) frame.row(i)[c] = eigenvectors_[chosen[c] * n_ + i];
  ScratchVector<uint32_t> rows;
  ProjectionDpp().draw(frame, draws, rows);
  DppSelection selection;
  DenseCholesky cholesky(kernel_, n_, jitter_);
  for (const uint32_t row : rows) add(selection, row, cholesky.choose(row));
  return selection;
}

DppSelection dpp_exact_dense(std::span<const double> kernel, size_t n, size_t k, uint64_t seed,
                             const DppConfig& config) {
  return DenseKdpp(kernel, n, config).draw(k, seed);
}

}  // namespace divns
