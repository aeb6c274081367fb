// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace divns::testing {

// Lines "user item item ..." with ids from 0, each row sorted and without repeats.
inline std::vector<std::vector<uint32_t>> read_adjacency(const std::string& path) {
  std::vector<std::vector<uint32_t>> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    uint32_t user = 0;
    if (!(words >> user)) continue;
    if (rows.size() <= user) rows.resize(user + 1);
    for (uint32_t item = 0; words >> item;) rows[user].push_back(item);
    std::sort(rows[user].begin(), rows[user].end());
    rows[user].erase(std::unique(rows[user].begin(), rows[user].end()), rows[user].end());
  }
  return rows;
}

}  // namespace divns::testing
