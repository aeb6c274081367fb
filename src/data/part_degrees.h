// SPDX-License-Identifier: Apache-2.0
// What the statistics of a dataset are computed from, counted slab after slab.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "divns/parallel.h"
#include "divns/statistics.h"

namespace divns {

// The number of pairs of each user and of each item in one part.
struct PartDegrees {
  std::string name;
  std::vector<uint32_t> users = {};
  std::vector<uint32_t> items = {};
  uint64_t pairs = 0;

  // The rows of the next users.
  void add(const Interactions& rows, const Executor& executor);
};

// Pairs that two parts have in common.
struct SharedPairs {
  uint64_t count = 0;
  std::vector<std::pair<uint32_t, uint32_t>> examples;  // (user, item)

  // The rows of the same users in both parts, from `first_user` on.
  void add(const Interactions& earlier, const Interactions& later, uint32_t first_user,
           const Executor& executor);
  void add_one(uint32_t user, uint32_t item);
  void append(const SharedPairs& more);
};
struct Leakage {
  std::string first;
  std::string second;
  SharedPairs pairs;
};

// The training part comes first.
DatasetStatistics statistics_of(std::span<const PartDegrees> parts,
                                std::span<const Leakage> leakages);

}  // namespace divns
