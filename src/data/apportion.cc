// SPDX-License-Identifier: Apache-2.0
#include "data/apportion.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/portable_math.h"

namespace divns {

std::vector<double> power_law(uint64_t n, double exponent, double head) {
  std::vector<double> values(n);
  for (uint64_t k = 0; k < n; ++k) {
    const double quantile = (static_cast<double>(k) + 0.5) / static_cast<double>(n);
    values[k] = portable::pow(quantile + head, -exponent);
  }
  return values;
}

std::vector<uint64_t> apportion(uint64_t total, uint64_t minimum, uint64_t maximum,
                                std::span<const double> weights) {
  const uint64_t n = weights.size();
  DIVNS_ASSERT(minimum <= maximum && maximum <= UINT32_MAX && total <= UINT32_MAX);
  DIVNS_ASSERT(minimum * n <= total && total <= maximum * n);
  const auto rest = static_cast<double>(total - minimum * n);
  if (rest == 0) return std::vector<uint64_t>(n, minimum);
  const auto room = static_cast<double>(maximum - minimum);
  const auto handed_out = [&](double scale) {
    double sum = 0;
    for (const double weight : weights) sum += std::min(scale * weight, room);
    return sum;
  };

  // The scale at which sum min(scale * weight, room) = rest, by bisection to the last bit.
  double low = 0;
  double high = 1;
  while (handed_out(high) < rest) high *= 2;
  for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2)
    (handed_out(middle) < rest ? low : high) = middle;

  // Rounding carries the fraction on to the next, in units of 2^-32 so that no sum loses a bit.
  std::vector<uint64_t> counts(n);
  uint64_t carried = uint64_t{1} << 31;
  for (uint64_t k = 0; k < n; ++k) {
    const uint64_t before = carried >> 32;
    carried += static_cast<uint64_t>(std::round(std::min(high * weights[k], room) * 0x1p32));
    counts[k] = minimum + (carried >> 32) - before;
  }
  DIVNS_ASSERT(minimum * n + (carried >> 32) == total);
  return counts;
}

}  // namespace divns
