// SPDX-License-Identifier: Apache-2.0
#include "data/filters.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace divns {
namespace {

using Named = std::set<std::pair<std::string, std::string>>;

PairList list_of(const std::set<std::pair<uint32_t, uint32_t>>& pairs, uint32_t users,
                 uint32_t items, uint32_t users_per_slab = 100) {
  PairList list;
  for (uint32_t first = 0; first < users; first += users_per_slab) {
    Rows rows;
    ScratchVector<int64_t> times;
    for (uint32_t user = first; user < std::min(users, first + users_per_slab); ++user) {
      for (const auto& [of_user, item] : pairs) {
        if (of_user != user) continue;
        rows.items.push_back(item);
        times.push_back(user * 1000 + item);
      }
      rows.offsets.push_back(rows.items.size());
    }
    list.pairs.add(std::move(rows), std::move(times));
  }
  for (uint32_t u = 0; u < users; ++u) list.user_ids.push_back("u" + std::to_string(u));
  for (uint32_t i = 0; i < items; ++i) list.item_ids.push_back("i" + std::to_string(i));
  return list;
}

// body(user, item, time) for every pair.
template <class Body>
void for_pairs(const PairList& list, Body&& body) {
  list.pairs.for_each([&](const Slab& slab) {
    for (uint32_t row = 0; row < slab.rows.users(); ++row)
      for (uint64_t at = slab.rows.offsets[row]; at < slab.rows.offsets[row + 1]; ++at)
        body(slab.first_user + row, slab.rows.items[at], slab.times[at]);
  });
}

Named names_of(const PairList& list) {
  Named names;
  for_pairs(list, [&](uint32_t user, uint32_t item, int64_t) {
    names.emplace(list.user_ids[user], list.item_ids[item]);
  });
  return names;
}

// The readable way: throw out one offender after another until nobody offends.
Named slow_core(Named pairs, size_t user_core, size_t item_core) {
  for (;;) {
    std::map<std::string, size_t> users;
    std::map<std::string, size_t> items;
    for (const auto& [user, item] : pairs) {
      ++users[user];
      ++items[item];
    }
    const auto offender = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return users[pair.first] < user_core || items[pair.second] < item_core;
    });
    if (offender == pairs.end()) return pairs;
    pairs.erase(offender);
  }
}

TEST(Core, PeelsRoundByRound) {
  // u2 has one pair; without it i1 has one pair; without that u1 has one, and so on: everything
  // goes.
  PairList chain = list_of({{0, 0}, {1, 0}, {1, 1}, {2, 1}}, 3, 2);
  EXPECT_EQ(keep_core(chain, 2, 2), 2);
  EXPECT_EQ(chain.pairs.pairs(), 0U);
  EXPECT_TRUE(chain.user_ids.empty());
}

RC_GTEST_PROP(Core, AgreesWithTheSlowWay, ()) {
  const auto pairs = *rc::gen::container<std::set<std::pair<uint32_t, uint32_t>>>(
      rc::gen::pair(rc::gen::inRange<uint32_t>(0, 8), rc::gen::inRange<uint32_t>(0, 8)));
  const auto user_core = *rc::gen::inRange<uint32_t>(0, 5);
  const auto item_core = *rc::gen::inRange<uint32_t>(0, 5);
  PairList list = list_of(pairs, 8, 8, *rc::gen::inRange<uint32_t>(1, 9));
  const Named expected = slow_core(names_of(list), user_core, item_core);
  keep_core(list, user_core, item_core);
  RC_ASSERT(names_of(list) == expected);
  RC_ASSERT(list.pairs.users() == list.users());
  std::set<std::string> users;
  for (const auto& pair : expected) users.insert(pair.first);
  RC_ASSERT(list.user_ids.size() == users.size());
  uint32_t place = 0;
  for (const std::string& user : users) RC_ASSERT(list.user_ids[place++] == user);
  for_pairs(list, [&](uint32_t user, uint32_t item, int64_t time) {
    RC_ASSERT(time == std::stoi(std::string(list.user_ids[user].substr(1))) * 1000 +
                          std::stoi(std::string(list.item_ids[item].substr(1))));
  });
}

}  // namespace
}  // namespace divns
