// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace divns {

// A table for a terminal. The first column is aligned to the left, the others to the right unless
// set otherwise. Control characters in cells are shown as escapes, so a cell is always one line.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  void align_left(size_t column, bool left = true) { to_the_left_[column] = left; }
  // The name of each column's group. Adjacent columns of a group share a heading; empty: none.
  void set_groups(std::vector<std::string> groups);
  void add(std::vector<std::string> row);
  // A line as wide as the table.
  void add_rule() { rows_.emplace_back(); }
  std::string text() const;

 private:
  // Last column of the group that begins here.
  size_t group_end(size_t column) const;
  size_t group_width(size_t first, const std::vector<size_t>& widths) const;
  std::string group_line(const std::vector<size_t>& widths) const;

  std::vector<std::string> groups_;
  std::vector<bool> to_the_left_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

// Width of a text on the terminal: the number of its UTF-8 characters.
size_t display_width(std::string_view text);

// 1234567 as 1,234,567.
std::string with_commas(uint64_t number);

}  // namespace divns
