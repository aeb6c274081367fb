// SPDX-License-Identifier: Apache-2.0
#include "data/filters.h"

#include <algorithm>
#include <vector>

namespace divns {
namespace {

// Keeps the pairs for which keep(user, item) holds, in place.
template <class Keep>
void keep_pairs(PairList& pairs, Keep&& keep) {
  Rows& rows = pairs.rows;
  size_t kept = 0;
  uint64_t begin = 0;
  for (uint32_t user = 0; user < rows.users(); ++user) {
    const uint64_t end = rows.offsets[user + 1];
    for (uint64_t at = begin; at < end; ++at) {
      if (!keep(user, rows.items[at])) continue;
      rows.items[kept] = rows.items[at];
      if (!pairs.times.empty()) pairs.times[kept] = pairs.times[at];
      ++kept;
    }
    begin = end;
    rows.offsets[user + 1] = kept;
  }
  rows.items.resize(kept);
  if (!pairs.times.empty()) pairs.times.resize(kept);
}

struct Degrees {
  explicit Degrees(const PairList& pairs) : users(pairs.users()), items(pairs.items()) {
    for (uint32_t user = 0; user < users.size(); ++user)
      users[user] = static_cast<uint32_t>(pairs.rows.offsets[user + 1] - pairs.rows.offsets[user]);
    for (const uint32_t item : pairs.rows.items) ++items[item];
  }
  std::vector<uint32_t> users;
  std::vector<uint32_t> items;
};

// New numbers for the ids that have a pair; the ids move along.
std::vector<uint32_t> compact_ids(std::vector<std::string>& ids,
                                  const std::vector<uint32_t>& degrees) {
  std::vector<uint32_t> numbers(ids.size());
  uint32_t kept = 0;
  for (uint32_t old = 0; old < numbers.size(); ++old) {
    numbers[old] = kept;
    if (degrees[old] == 0) continue;
    if (kept != old) ids[kept] = std::move(ids[old]);
    ++kept;
  }
  ids.resize(kept);
  return numbers;
}

}  // namespace

int keep_core(PairList& pairs, uint32_t user_core, uint32_t item_core) {
  int rounds = 0;
  for (size_t before = pairs.size() + 1; before != pairs.size(); ++rounds) {
    before = pairs.size();
    const Degrees degrees(pairs);
    keep_pairs(pairs, [&](uint32_t user, uint32_t item) {
      return degrees.users[user] >= user_core && degrees.items[item] >= item_core;
    });
  }
  renumber(pairs);
  return rounds - 1;
}

void renumber(PairList& pairs) {
  const Degrees degrees(pairs);
  compact_ids(pairs.user_ids, degrees.users);
  const std::vector<uint32_t> numbers = compact_ids(pairs.item_ids, degrees.items);
  for (uint32_t& item : pairs.rows.items) item = numbers[item];
  // A user without pairs is an offset that repeats the one before.
  auto& offsets = pairs.rows.offsets;
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
}

}  // namespace divns
