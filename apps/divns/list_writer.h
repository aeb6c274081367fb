// SPDX-License-Identifier: Apache-2.0
// Ranked lists on their way out: CSV, JSON lines, NumPy arrays, or a table for the eye.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "divns/recommend.h"

namespace divns::app {

// Who the entries of the lists are.
struct ListNames {
  std::string query;  // the column of the one a list is for: "user" or "item"
  std::string entry;  // the column of what the list holds: "item" or "user"
  uint32_t entries = 0;
  std::function<std::string_view(uint32_t)> id;
  std::function<std::string_view(uint32_t)> name;  // may give an empty one
};

class ListWriter {
 public:
  virtual ~ListWriter() = default;
  // The next lists, labels[row] telling whose they are.
  virtual void add(std::span<const std::string> labels, const TopItems& lists) = 0;
  virtual void finish() = 0;

  // By the ending of the path: .csv, .jsonl or .npy.
  static std::unique_ptr<ListWriter> to_file(const std::filesystem::path& path,
                                             const ListNames& names);
  // On standard output, as a table or as one JSON array.
  static std::unique_ptr<ListWriter> to_screen(bool json, const ListNames& names);
};

}  // namespace divns::app
