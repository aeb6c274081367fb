// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "data/id_column.h"

namespace divns {

// How the memory limit of a preparation is divided. Always in memory are the program, the buffers
// of the threads, and the distinct ids with a few counts per user and item. The rest is for pairs;
// where it is too small for all of them, the others wait on disk.
class MemoryBudget {
 public:
  MemoryBudget() = default;  // no limit
  // An amount such as "2G"; empty means half of the machine's memory.
  MemoryBudget(const std::string& limit, int threads);
  // For tests: so many pairs at a time, whatever memory they take.
  static MemoryBudget of_pairs(uint64_t pairs);

  // How many pairs may be in memory beside the ids; 0 if the ids leave no room for the smallest
  // useful number.
  uint64_t pairs(uint64_t bytes_of_ids, bool timed) const;
  // The bytes of the ids, from reading them to the statistics.
  uint64_t bytes_of_ids(const IdInterner::Size& users, const IdInterner::Size& items) const;
  // Throws the Error that names the smallest limit with which `pairs` fit beside the ids; `reason`
  // says what needs it.
  [[noreturn]] void refuse(uint64_t bytes_of_ids, uint64_t pairs, bool timed,
                           const std::string& reason) const;

 private:
  uint64_t needed(uint64_t bytes_of_ids, uint64_t pairs, bool timed) const;

  uint64_t limit_ = UINT64_MAX;
  uint64_t threads_ = 1;
  uint64_t fixed_pairs_ = 0;
};

}  // namespace divns
