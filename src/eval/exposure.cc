// SPDX-License-Identifier: Apache-2.0
#include "divns/exposure.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace divns {

Exposure measure_exposure(std::span<const uint32_t> recommended,
                          std::span<const uint32_t> train_counts, uint32_t users) {
  Exposure exposure;
  double total = 0;
  size_t covered = 0;
  for (size_t i = 0; i < recommended.size(); ++i) {
    const double times = recommended[i];
    if (times == 0) continue;
    total += times;
    ++covered;
    exposure.popularity += times * train_counts[i];
    exposure.novelty -=
        times * std::log2(std::max(train_counts[i], 1U) / static_cast<double>(users));
  }
  if (total == 0) return exposure;
  exposure.popularity /= total;
  exposure.novelty /= total;

  const auto n = static_cast<double>(recommended.size());
  exposure.coverage = static_cast<double>(covered) / n;
  std::vector<uint32_t> ascending(recommended.begin(), recommended.end());
  std::sort(ascending.begin(), ascending.end());
  for (size_t j = 0; j < ascending.size(); ++j)
    exposure.gini += (2.0 * static_cast<double>(j + 1) - n - 1.0) * ascending[j];
  exposure.gini /= n * total;
  return exposure;
}

}  // namespace divns
