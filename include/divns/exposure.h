// SPDX-License-Identifier: Apache-2.0
// Metrics beyond accuracy. x_i is the number of lists that contain item i at a cut-off, c_i the
// number of its training pairs, n the number of items, U the number of users.
#pragma once

#include <cstdint>
#include <span>

namespace divns {

struct Exposure {
  double coverage = 0;    // share of items with x_i > 0
  double gini = 0;        // sum_j (2j - n - 1) x_(j) / (n sum x), x_(1) <= x_(2) <= ...;
                          // 0 if all items are equally frequent, near 1 if one fills all lists
  double popularity = 0;  // sum x_i c_i / sum x
  double novelty = 0;     // sum x_i -log2(max(c_i, 1) / U) / sum x, in bits
};

Exposure measure_exposure(std::span<const uint32_t> recommended,
                          std::span<const uint32_t> train_counts, uint32_t users);

}  // namespace divns
