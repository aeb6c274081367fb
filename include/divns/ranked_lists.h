// SPDX-License-Identifier: Apache-2.0
// Writes ranked lists: CSV, JSON lines, NumPy arrays, or a table for a terminal.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "divns/recommend.h"

namespace divns {

// Names of the rows and entries of the lists.
struct ListNames {
  std::string query;  // column name of the owner of a list: "user" or "item"
  std::string entry;  // column name of the entries of a list: "item" or "user"
  uint32_t entries = 0;
  std::function<std::string_view(uint32_t)> id;
  std::function<std::string_view(uint32_t)> name;  // title, may be empty
};

class ListWriter {
 public:
  virtual ~ListWriter() = default;
  // The next lists; labels[row] is the owner of list `row`.
  virtual void add(std::span<const std::string> labels, const TopItems& lists) = 0;
  virtual void finish() = 0;

  // By the ending of the path: .csv, .jsonl or .npy. Spreadsheets run a cell that begins with = + -
  // or @ as a formula; with `for_spreadsheets`, ids and titles that begin so get an apostrophe in
  // front.
  static std::unique_ptr<ListWriter> to_file(const std::filesystem::path& path,
                                             const ListNames& names, bool for_spreadsheets = false);
  // As a table, or as one JSON array, passed to `print` in pieces.
  using Print = std::function<void(std::string_view)>;
  static std::unique_ptr<ListWriter> to_text(bool json, const ListNames& names, Print print);
};

}  // namespace divns
