// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace divns::testing {

// LightGCN's text format: one line per user, with the user's number and then the items' numbers.
// Rows are ascending and distinct; users without a line have an empty row, and there are at least
// `users` rows.
inline std::vector<std::vector<uint32_t>> read_adjacency(const std::string& path,
                                                         uint32_t users = 0) {
  std::vector<std::vector<uint32_t>> rows(users);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream numbers(line);
    uint32_t user = 0;
    if (!(numbers >> user)) continue;
    if (rows.size() <= user) rows.resize(user + 1);
    std::vector<uint32_t>& row = rows[user];
    for (uint32_t item = 0; numbers >> item;) row.push_back(item);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return rows;
}

}  // namespace divns::testing
