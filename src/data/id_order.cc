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

std::vector<uint32_t> sort_ids(std::vector<std::string>& ids) {
  std::vector<uint32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0U);
  const bool numeric = std::all_of(ids.begin(), ids.end(), is_plain_decimal);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return numeric ? decimal_less(ids[a], ids[b]) : ids[a] < ids[b];
  });
  std::vector<std::string> sorted(ids.size());
  std::vector<uint32_t> went(ids.size());
  for (uint32_t place = 0; place < order.size(); ++place) {
    sorted[place] = std::move(ids[order[place]]);
    went[order[place]] = place;
  }
  ids = std::move(sorted);
  return went;
}

}  // namespace divns
