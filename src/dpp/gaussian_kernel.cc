// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "divns/dpp.h"
#include "numerics/squared_distance.h"

namespace divns {
namespace {

constexpr uint32_t kLargestDense = 5000;

}  // namespace

std::vector<double> gaussian_kernel(const VectorTable& points, std::span<const double> quality,
                                    double bandwidth) {
  const size_t n = points.rows;
  if (n > kLargestDense)
    fail(
        "the gaussian kernel is a matrix of {0} x {0} numbers; expected at most {1} vectors: use "
        "the linear kernel or fewer vectors.",
        n, kLargestDense);
  std::vector<double> kernel(n * n);
  std::vector<double> distances;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j) {
      kernel[i * n + j] = squared_distance(points, i, j);
      if (j < i) distances.push_back(kernel[i * n + j]);
    }
  if (bandwidth == 0 && !distances.empty()) {
    const auto middle = distances.begin() + static_cast<ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    bandwidth = std::sqrt(*middle) / 2;
  }
  const double scale = bandwidth > 0 ? -0.5 / (bandwidth * bandwidth) : -1;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      const double q = quality.empty() ? 1 : quality[i] * quality[j];
      kernel[i * n + j] = q * std::exp(scale * kernel[i * n + j]);
    }
  return kernel;
}

}  // namespace divns
