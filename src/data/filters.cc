// SPDX-License-Identifier: Apache-2.0
#include "data/filters.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace divns {
namespace {

// Keeps the pairs for which keep(user, item) holds, in place.
template <class Keep>
void keep_pairs(Slab& slab, Keep&& keep) {
  Rows& rows = slab.rows;
  size_t kept = 0;
  uint64_t begin = 0;
  for (uint32_t row = 0; row < rows.users(); ++row) {
    const uint64_t end = rows.offsets[row + 1];
    for (uint64_t at = begin; at < end; ++at) {
      if (!keep(slab.first_user + row, rows.items[at])) continue;
      rows.items[kept] = rows.items[at];
      if (!slab.times.empty()) slab.times[kept] = slab.times[at];
      ++kept;
    }
    begin = end;
    rows.offsets[row + 1] = kept;
  }
  rows.items.resize(kept);
  if (!slab.times.empty()) slab.times.resize(kept);
}

struct Degrees {
  Degrees(uint32_t user_count, uint32_t item_count) : users(user_count), items(item_count) {}
  void add(const Slab& slab) {
    for (uint32_t row = 0; row < slab.rows.users(); ++row)
      users[slab.first_user + row] =
          static_cast<uint32_t>(slab.rows.offsets[row + 1] - slab.rows.offsets[row]);
    for (const uint32_t item : slab.rows.items) ++items[item];
  }
  std::vector<uint32_t> users;
  std::vector<uint32_t> items;
};

// Drops ids without any pair and closes the gaps in the numbering.
void renumber(PairList& list, const Degrees& degrees) {
  list.user_ids.keep_if([&](size_t user) { return degrees.users[user] > 0; });
  list.item_ids.keep_if([&](size_t item) { return degrees.items[item] > 0; });
  std::vector<uint32_t> numbers(degrees.items.size());
  uint32_t kept = 0;
  for (size_t item = 0; item < numbers.size(); ++item) {
    numbers[item] = kept;
    kept += degrees.items[item] > 0 ? 1U : 0U;
  }
  list.pairs.change([&](Slab& slab) {
    for (uint32_t& item : slab.rows.items) item = numbers[item];
    // A user without pairs is an offset that repeats the one before.
    auto& offsets = slab.rows.offsets;
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  });
}

}  // namespace

int keep_core(PairList& list, uint32_t user_core, uint32_t item_core) {
  Degrees degrees(list.users(), list.items());
  list.pairs.for_each([&](const Slab& slab) { degrees.add(slab); });
  int rounds = 0;
  for (uint64_t before = list.pairs.pairs() + 1; before != list.pairs.pairs(); ++rounds) {
    before = list.pairs.pairs();
    Degrees left(list.users(), list.items());
    list.pairs.change([&](Slab& slab) {
      keep_pairs(slab, [&](uint32_t user, uint32_t item) {
        return degrees.users[user] >= user_core && degrees.items[item] >= item_core;
      });
      left.add(slab);
    });
    degrees = std::move(left);
  }
  renumber(list, degrees);
  return rounds - 1;
}

}  // namespace divns
