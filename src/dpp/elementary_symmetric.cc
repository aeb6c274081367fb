// SPDX-License-Identifier: Apache-2.0
#include "dpp/elementary_symmetric.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace divns {

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kLogZero ? a : a + std::log1p(std::exp(b - a));
}

ElementarySymmetric::ElementarySymmetric(std::span<const double> x, size_t k)
    : logs_(x.size()), table_((k + 1) * (x.size() + 1), kLogZero) {
  const size_t width = x.size() + 1;
  std::transform(x.begin(), x.end(), logs_.begin(), [](double value) { return std::log(value); });
  std::fill_n(table_.begin(), width, 0.0);
  // e_a(x_1..x_m) = e_a(x_1..x_{m-1}) + x_m e_{a-1}(x_1..x_{m-1})
  for (size_t a = 1; a <= k; ++a)
    for (size_t m = a; m < width; ++m)
      table_[a * width + m] = log_add(at(a, m - 1), logs_[m - 1] + at(a - 1, m - 1));
}

void ElementarySymmetric::draw(size_t a, Draws& draws, std::vector<size_t>& chosen) const {
  DIVNS_ASSERT(a <= count());
  chosen.clear();
  for (size_t m = count(); m > 0 && chosen.size() < a; --m) {
    const size_t left = a - chosen.size();
    const double log_take = logs_[m - 1] + at(left - 1, m - 1) - at(left, m);
    // The last ones must be taken regardless of rounding.
    if (left == m || std::log(draws.uniform()) < log_take) chosen.push_back(m - 1);
  }
  std::reverse(chosen.begin(), chosen.end());
}

}  // namespace divns
