// SPDX-License-Identifier: Apache-2.0
#include "data/memory_budget.h"

#include <unistd.h>

#include <algorithm>

#include "base/check.h"
#include "divns/bytes.h"

namespace divns {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kProgram = 64 * kMiB;    // code, libraries, and what the allocator keeps
constexpr uint64_t kPerThread = 16 * kMiB;  // a block of text and what is parsed from it
// A block of text may hold so many pairs; fewer cannot be sorted at a time.
constexpr uint64_t kFewestPairs = uint64_t{1} << 18;
// Codes, the words that are sorted and the sorted items; likewise with times.
constexpr uint64_t kPerPair = 32;
constexpr uint64_t kPerTimedPair = 96;

uint64_t half_of_the_memory() {
  return static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

}  // namespace

MemoryBudget::MemoryBudget(const std::string& limit, int threads)
    : limit_(limit.empty() ? half_of_the_memory() : parse_bytes(limit)),
      threads_(static_cast<uint64_t>(threads)) {
  if (needed(0, kFewestPairs, false) > limit_)
    refuse(0, kFewestPairs, false, fmt::format("the program with threads = {}", threads));
}

MemoryBudget MemoryBudget::of_pairs(uint64_t pairs) {
  MemoryBudget budget;
  budget.fixed_pairs_ = pairs;
  return budget;
}

uint64_t MemoryBudget::needed(uint64_t bytes_of_ids, uint64_t pairs, bool timed) const {
  return kProgram + threads_ * kPerThread + bytes_of_ids +
         pairs * (timed ? kPerTimedPair : kPerPair);
}

uint64_t MemoryBudget::pairs(uint64_t bytes_of_ids, bool timed) const {
  if (fixed_pairs_ > 0) return fixed_pairs_;
  if (needed(bytes_of_ids, kFewestPairs, timed) > limit_) return 0;
  return (limit_ - needed(bytes_of_ids, 0, timed)) / (timed ? kPerTimedPair : kPerPair);
}

uint64_t MemoryBudget::bytes_of_ids(const IdInterner::Size& users,
                                    const IdInterner::Size& items) const {
  constexpr uint64_t kPerText = 64 + 24;  // in the hash table; view, place and position in order
  constexpr uint64_t kPerId = 8 + 48;     // end in the list of ids; degrees and offsets
  constexpr uint64_t kPerNumber = 9;      // digits in the list of ids
  uint64_t bytes = 0;
  for (const IdInterner::Size* side : {&users, &items}) {
    bytes += side->texts * kPerText + 2 * side->text_bytes;
    bytes += side->numbers * kPerNumber + side->number_bytes;
    bytes += (side->texts + side->numbers) * (kPerId + threads_ * sizeof(uint32_t));
  }
  return bytes;
}

void MemoryBudget::refuse(uint64_t bytes_of_ids, uint64_t pairs, bool timed,
                          const std::string& reason) const {
  const uint64_t bytes = needed(bytes_of_ids, std::max(pairs, kFewestPairs), timed);
  const uint64_t mib = (bytes + kMiB - 1) / kMiB;
  fail("memory_limit is {} MiB, but {} needs {} MiB; set memory_limit to {}M or more{}.",
       limit_ / kMiB, reason, mib, mib, threads_ > 1 ? ", or use fewer threads" : "");
}

}  // namespace divns
