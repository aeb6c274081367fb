// SPDX-License-Identifier: Apache-2.0
#include "data/filters.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>
#include <set>

namespace divns {
namespace {

using Named = std::set<std::pair<std::string, std::string>>;

PairList list_of(const std::set<std::pair<uint32_t, uint32_t>>& pairs, uint32_t users,
                 uint32_t items) {
  PairList list;
  list.rows.offsets.assign(users + 1, 0);
  for (const auto& [user, item] : pairs) {
    ++list.rows.offsets[user + 1];
    list.rows.items.push_back(item);
    list.times.push_back(user * 1000 + item);
  }
  std::partial_sum(list.rows.offsets.begin(), list.rows.offsets.end(), list.rows.offsets.begin());
  for (uint32_t u = 0; u < users; ++u) list.user_ids.push_back("u" + std::to_string(u));
  for (uint32_t i = 0; i < items; ++i) list.item_ids.push_back("i" + std::to_string(i));
  return list;
}

// body(user, item, place) for every pair.
template <class Body>
void for_pairs(const PairList& list, Body&& body) {
  for (uint32_t user = 0; user < list.users(); ++user)
    for (uint64_t at = list.rows.offsets[user]; at < list.rows.offsets[user + 1]; ++at)
      body(user, list.rows.items[at], at);
}

Named names_of(const PairList& list) {
  Named names;
  for_pairs(list, [&](uint32_t user, uint32_t item, uint64_t) {
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
  EXPECT_EQ(chain.size(), 0U);
  EXPECT_TRUE(chain.user_ids.empty());
}

RC_GTEST_PROP(Core, AgreesWithTheSlowWay, ()) {
  const auto pairs = *rc::gen::container<std::set<std::pair<uint32_t, uint32_t>>>(
      rc::gen::pair(rc::gen::inRange<uint32_t>(0, 8), rc::gen::inRange<uint32_t>(0, 8)));
  const auto user_core = *rc::gen::inRange<uint32_t>(0, 5);
  const auto item_core = *rc::gen::inRange<uint32_t>(0, 5);
  PairList list = list_of(pairs, 8, 8);
  const Named expected = slow_core(names_of(list), user_core, item_core);
  keep_core(list, user_core, item_core);
  RC_ASSERT(names_of(list) == expected);
  RC_ASSERT(list.rows.users() == list.users());
  std::set<std::string> users;
  for (const auto& pair : expected) users.insert(pair.first);
  RC_ASSERT(list.user_ids == std::vector<std::string>(users.begin(), users.end()));
  for_pairs(list, [&](uint32_t user, uint32_t item, uint64_t at) {
    RC_ASSERT(list.times[at] == std::stoi(list.user_ids[user].substr(1)) * 1000 +
                                    std::stoi(list.item_ids[item].substr(1)));
  });
}

}  // namespace
}  // namespace divns
