// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/scratch.h"

namespace divns {

// Distinct pairs in the order of (user, item), with the ids that the numbers stand for.
struct PairList {
  ScratchVector<uint64_t> keys;  // user << 32 | item, ascending
  ScratchVector<int64_t> times;  // of each pair, or empty
  std::vector<std::string> user_ids;
  std::vector<std::string> item_ids;

  static uint64_t key(uint32_t user, uint32_t item) { return uint64_t{user} << 32 | item; }
  static uint32_t user(uint64_t key) { return static_cast<uint32_t>(key >> 32); }
  static uint32_t item(uint64_t key) { return static_cast<uint32_t>(key); }
  size_t size() const { return keys.size(); }
  uint32_t users() const { return static_cast<uint32_t>(user_ids.size()); }
  uint32_t items() const { return static_cast<uint32_t>(item_ids.size()); }
};

}  // namespace divns
