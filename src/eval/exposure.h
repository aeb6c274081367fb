// SPDX-License-Identifier: Apache-2.0
// Beyond accuracy: what the recommended lists do to the catalogue. x_i is how often item i is
// recommended at a cut-off, c_i its train pairs, n the number of items, U the number of users.
#pragma once

#include <cstdint>
#include <span>

namespace divns {

struct Exposure {
  double coverage = 0;    // share of items with x_i > 0
  double gini = 0;        // sum_j (2j - n - 1) x_(j) / (n sum x), x_(1) <= x_(2) <= ...;
                          // 0 if all items are recommended alike, near 1 if one takes all
  double popularity = 0;  // sum x_i c_i / sum x
  double novelty = 0;     // sum x_i -log2(max(c_i, 1) / U) / sum x, in bits
};

Exposure measure_exposure(std::span<const uint32_t> recommended,
                          std::span<const uint32_t> train_counts, uint32_t users);

}  // namespace divns
