// SPDX-License-Identifier: Apache-2.0
#include "divns/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/escape.h"

namespace divns {

TextTable::TextTable(std::vector<std::string> header) : to_the_left_(header.size(), false) {
  if (!to_the_left_.empty()) to_the_left_[0] = true;
  add(std::move(header));
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = escape_terminal(cell);
  rows_.push_back(std::move(row));
}

void TextTable::set_groups(std::vector<std::string> groups) {
  for (std::string& name : groups) name = escape_terminal(name);
  groups_ = std::move(groups);
}

size_t TextTable::group_end(size_t column) const {
  size_t last = column;
  while (last + 1 < groups_.size() && groups_[last + 1] == groups_[column]) ++last;
  return last;
}

size_t TextTable::group_width(size_t first, const std::vector<size_t>& widths) const {
  size_t width = 0;
  for (size_t c = first; c <= group_end(first); ++c) width += widths[c] + (c > first ? 2 : 0);
  return width;
}

// Group names centred over their columns, between dashes that show their extent.
std::string TextTable::group_line(const std::vector<size_t>& widths) const {
  std::string line;
  for (size_t first = 0; first < groups_.size(); first = group_end(first) + 1) {
    const size_t width = group_width(first, widths);
    if (first > 0) line += "  ";
    const size_t strokes = width - display_width(groups_[first]);
    if (groups_[first].empty())
      line += std::string(width, ' ');
    else if (strokes < 2)
      line += groups_[first] + std::string(strokes, ' ');
    else
      line += std::string(strokes / 2 - 1, '-') + " " + groups_[first] + " " +
              std::string(strokes - strokes / 2 - 1, '-');
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string TextTable::text() const {
  std::vector<size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  for (size_t first = 0; first < groups_.size(); first = group_end(first) + 1) {
    const size_t width = group_width(first, widths);
    const size_t needed = display_width(groups_[first]);
    if (needed > width) widths[group_end(first)] += needed - width;
  }
  size_t whole = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const size_t width : widths) whole += width;
  std::string text = groups_.empty() ? "" : group_line(widths);
  for (const auto& row : rows_) {
    if (row.empty()) {
      text += std::string(whole, '-') + "\n";
      continue;
    }
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - display_width(row[c]), ' ');
      const bool left = c < to_the_left_.size() && to_the_left_[c];
      if (c > 0) line += "  ";
      line += left ? row[c] + space : space + row[c];
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
