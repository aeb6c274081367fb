// SPDX-License-Identifier: Apache-2.0
#include "data/id_order.h"

#include <algorithm>
#include <numeric>

namespace divns {

bool is_plain_decimal(std::string_view text) {
  if (text.empty() || (text[0] == '0' && text.size() > 1)) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool decimal_less(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::vector<uint32_t> order_of_ids(std::span<const std::string_view> ids) {
  std::vector<uint32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0U);
  const bool numeric = std::all_of(ids.begin(), ids.end(), is_plain_decimal);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return numeric ? decimal_less(ids[a], ids[b]) : ids[a] < ids[b];
  });
  return order;
}

}  // namespace divns
