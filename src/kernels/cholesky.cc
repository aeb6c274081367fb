// SPDX-License-Identifier: Apache-2.0
#include "kernels/cholesky.h"

#include <cmath>
#include <type_traits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cholesky.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// a[k][columns] -= sum over p < k of a[p][k] a[p][columns], for kVectors vectors of columns kept in
// registers.
template <size_t kVectors>
HWY_INLINE void reduce_row(float* HWY_RESTRICT a, size_t step, size_t k, size_t column) {
  const Lanes8 d;
  const size_t lanes = hn::Lanes(d);
  hn::Vec<Lanes8> sum[kVectors];
  for (size_t v = 0; v < kVectors; ++v) sum[v] = hn::LoadU(d, a + k * step + column + v * lanes);
  for (size_t p = 0; p < k; ++p) {
    const float* row = a + p * step;
    const auto factor = hn::Set(d, row[k]);
    for (size_t v = 0; v < kVectors; ++v)
      sum[v] = hn::NegMulAdd(factor, hn::LoadU(d, row + column + v * lanes), sum[v]);
  }
  for (size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, a + k * step + column + v * lanes);
}

// Row by row. Columns left of the diagonal that share a vector with it are computed but never read.
HWY_INLINE bool factorise(float* a, size_t n, size_t step) {
  const size_t lanes = hn::Lanes(Lanes8());
  for (size_t k = 0; k < n; ++k) {
    size_t column = k / lanes * lanes;
    const auto reduce = [&](auto vectors) HWY_ATTR {
      reduce_row<decltype(vectors)::value>(a, step, k, column);
      column += decltype(vectors)::value * lanes;
    };
    while (column + 8 * lanes <= step) reduce(std::integral_constant<size_t, 8>());
    while (column + 4 * lanes <= step) reduce(std::integral_constant<size_t, 4>());
    while (column + 2 * lanes <= step) reduce(std::integral_constant<size_t, 2>());
    while (column < step) reduce(std::integral_constant<size_t, 1>());
    float* row = a + k * step;
    if (!(row[k] > 0)) return false;
    const float scale = 1 / std::sqrt(row[k]);
    if (!std::isfinite(scale)) return false;
    for (size_t j = k; j < n; ++j) row[j] *= scale;
  }
  return true;
}

bool cholesky_solve(float* HWY_RESTRICT a, size_t n, size_t step, float* HWY_RESTRICT b) {
  if (!factorise(a, n, step)) return false;
  // U^T y = b, then U x = y. Each finished element is subtracted from the remaining ones.
  for (size_t k = 0; k < n; ++k) {
    const float* row = a + k * step;
    b[k] /= row[k];
    for (size_t j = k + 1; j < n; ++j) b[j] -= row[j] * b[k];
  }
  for (size_t k = n; k-- > 0;) {
    b[k] /= a[k * step + k];
    for (size_t j = 0; j < k; ++j) b[j] -= a[j * step + k] * b[k];
  }
  return true;
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(cholesky_solve);

bool cholesky_solve(float* a, size_t n, size_t step, float* b) {
  return HWY_DYNAMIC_DISPATCH(cholesky_solve)(a, n, step, b);
}

namespace reference {

bool cholesky_solve(float* a, size_t n, size_t step, float* b) {
  std::vector<double> u(n * n);
  std::vector<double> x(b, b + n);
  for (size_t k = 0; k < n; ++k)
    for (size_t j = k; j < n; ++j) {
      double sum = a[k * step + j];
      for (size_t p = 0; p < k; ++p) sum -= u[p * n + k] * u[p * n + j];
      if (j == k && !(sum > 0)) return false;
      u[k * n + j] = j == k ? std::sqrt(sum) : sum / u[k * n + k];
    }
  for (size_t k = 0; k < n; ++k) {
    for (size_t p = 0; p < k; ++p) x[k] -= u[p * n + k] * x[p];
    x[k] /= u[k * n + k];
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) x[k] -= u[k * n + j] * x[j];
    x[k] /= u[k * n + k];
  }
  for (size_t k = 0; k < n; ++k) {
    b[k] = static_cast<float>(x[k]);
    for (size_t j = k; j < n; ++j) a[k * step + j] = static_cast<float>(u[k * n + j]);
  }
  return true;
}

}  // namespace reference
}  // namespace divns
#endif
