// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numeric>
#include <span>

namespace divns {

struct Moments {
  double mean = 0;
  double sd = 0;     // n - 1 in the denominator; 0 for fewer than two values
  size_t count = 0;  // of the values
};

inline Moments moments(std::span<const double> values) {
  Moments result;
  result.count = values.size();
  if (values.empty()) return result;
  const auto n = static_cast<double>(values.size());
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.sd = std::sqrt(squares / (n - 1));
  return result;
}

}  // namespace divns
