// SPDX-License-Identifier: Apache-2.0
#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace divns {

std::string TextTable::text() const {
  std::vector<size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  size_t whole = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const size_t width : widths) whole += width;
  std::string text;
  for (const auto& row : rows_) {
    if (row.empty()) {
      text += std::string(whole, '-') + "\n";
      continue;
    }
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - display_width(row[c]), ' ');
      const bool left = c < to_the_left_.size() && to_the_left_[c];
      line += (c == 0 ? "" : "  ") + (left ? row[c] + space : space + row[c]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

size_t display_width(std::string_view text) {
  // Bytes 10xxxxxx continue a character.
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string with_commas(uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (auto at = static_cast<ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

}  // namespace divns
