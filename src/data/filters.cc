// SPDX-License-Identifier: Apache-2.0
#include "data/filters.h"

#include <vector>

namespace divns {
namespace {

// New numbers for the ids that have a pair; moves those ids to the front.
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

struct Degrees {
  explicit Degrees(const PairList& pairs)
      : users(pairs.user_ids.size()), items(pairs.item_ids.size()) {
    for (const uint64_t key : pairs.keys) {
      ++users[PairList::user(key)];
      ++items[PairList::item(key)];
    }
  }
  std::vector<uint32_t> users;
  std::vector<uint32_t> items;
};

}  // namespace

int keep_core(PairList& pairs, uint32_t user_core, uint32_t item_core) {
  Degrees degrees(pairs);
  int rounds = 0;
  for (size_t before = pairs.size() + 1; before != pairs.size(); ++rounds) {
    before = pairs.size();
    // The degrees that decide are those at the beginning of the round; the lists shrink as the
    // round goes on.
    const Degrees at_start = degrees;
    size_t kept = 0;
    for (size_t i = 0; i < before; ++i) {
      const uint32_t user = PairList::user(pairs.keys[i]);
      const uint32_t item = PairList::item(pairs.keys[i]);
      if (at_start.users[user] < user_core || at_start.items[item] < item_core) {
        --degrees.users[user];
        --degrees.items[item];
        continue;
      }
      pairs.keys[kept] = pairs.keys[i];
      if (!pairs.times.empty()) pairs.times[kept] = pairs.times[i];
      ++kept;
    }
    pairs.keys.resize(kept);
    if (!pairs.times.empty()) pairs.times.resize(kept);
  }
  renumber(pairs);
  return rounds - 1;
}

void renumber(PairList& pairs) {
  const Degrees degrees(pairs);
  const std::vector<uint32_t> users = compact_ids(pairs.user_ids, degrees.users);
  const std::vector<uint32_t> items = compact_ids(pairs.item_ids, degrees.items);
  for (uint64_t& key : pairs.keys)
    key = PairList::key(users[PairList::user(key)], items[PairList::item(key)]);
}

}  // namespace divns
