// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace divns {

// Columns that line up: the first to the left, the others to the right unless told otherwise.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header)
      : to_the_left_(header.size(), false), rows_{std::move(header)} {
    if (!to_the_left_.empty()) to_the_left_[0] = true;
  }
  void align_left(size_t column, bool left = true) { to_the_left_[column] = left; }
  // A heading above neighbours that have the same group; empty: none.
  void set_groups(std::vector<std::string> groups) { groups_ = std::move(groups); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
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

// Places that a text takes on the terminal: characters of UTF-8, not bytes.
size_t display_width(std::string_view text);

// 1234567 as 1,234,567.
std::string with_commas(uint64_t number);

}  // namespace divns
