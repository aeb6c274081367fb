// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "divns/interactions.h"

namespace divns::testing {

// Interactions that own their arrays.
class Pairs {
 public:
  Pairs(const std::vector<std::vector<uint32_t>>& rows, uint32_t item_count)
      : item_count_(item_count) {
    for (std::vector<uint32_t> row : rows) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      items_.insert(items_.end(), row.begin(), row.end());
      offsets_.push_back(items_.size());
    }
  }
  operator Interactions() const {  // NOLINT(google-explicit-constructor)
    return {offsets_, items_, item_count_};
  }

 private:
  std::vector<uint64_t> offsets_ = {0};
  std::vector<uint32_t> items_;
  uint32_t item_count_;
};

// Rows of 0 to `most` distinct items.
inline Pairs random_pairs(uint32_t users, uint32_t items, uint32_t most, uint64_t seed) {
  const Random random(seed, "pairs");
  std::vector<std::vector<uint32_t>> rows(users);
  for (uint32_t user = 0; user < users; ++user) {
    Draws draws = random.draws(user);
    rows[user].resize(draws.below(std::min(most, items) + 1));
    sample_without_replacement(draws, items, rows[user]);
  }
  return {rows, items};
}

// LightGCN's text: one line a user, the user's number and then the items' numbers. Users without a
// line have no items.
inline std::vector<std::vector<uint32_t>> read_adjacency(const std::string& path) {
  std::vector<std::vector<uint32_t>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream numbers(line);
    uint32_t user = 0;
    if (!(numbers >> user)) continue;
    if (rows.size() <= user) rows.resize(size_t{user} + 1);
    for (uint32_t item = 0; numbers >> item;) rows[user].push_back(item);
  }
  return rows;
}

}  // namespace divns::testing
