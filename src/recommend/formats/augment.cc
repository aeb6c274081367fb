// SPDX-License-Identifier: Apache-2.0
#include "recommend/formats/augment.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace divns {
namespace {

Table copy_of(const VectorTable& table, uint32_t columns) {
  Table wider(table.rows, columns);
  for (uint32_t i = 0; i < table.rows; ++i) std::copy_n(table.row(i), table.dim, wider.row(i));
  return wider;
}

}  // namespace

Table augmented_items(const VectorTable& items) {
  std::vector<double> squares(items.rows, 0.0);
  double longest = 0;
  for (uint32_t i = 0; i < items.rows; ++i) {
    for (uint32_t k = 0; k < items.dim; ++k)
      squares[i] += static_cast<double>(items.row(i)[k]) * items.row(i)[k];
    longest = std::max(longest, squares[i]);
  }
  Table wider = copy_of(items, items.dim + 1);
  for (uint32_t i = 0; i < items.rows; ++i)
    wider.row(i)[items.dim] = static_cast<float>(std::sqrt(longest - squares[i]));
  return wider;
}

Table padded_copy(const VectorTable& table) {
  return copy_of(table, table.dim);
}

Table augmented_users(const VectorTable& users) {
  return copy_of(users, users.dim + 1);
}

}  // namespace divns
