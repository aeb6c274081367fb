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
                 uint32_t items) {
  PairList list;
  for (const auto& [user, item] : pairs) {
    list.keys.push_back(PairList::key(user, item));
    list.times.push_back(user * 1000 + item);
  }
  for (uint32_t u = 0; u < users; ++u) list.user_ids.push_back("u" + std::to_string(u));
  for (uint32_t i = 0; i < items; ++i) list.item_ids.push_back("i" + std::to_string(i));
  return list;
}

Named names_of(const PairList& list) {
  Named names;
  for (const uint64_t key : list.keys)
    names.emplace(list.user_ids[PairList::user(key)], list.item_ids[PairList::item(key)]);
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
  RC_ASSERT(std::is_sorted(list.keys.begin(), list.keys.end()));
  std::set<std::string> users;
  for (const auto& pair : expected) users.insert(pair.first);
  RC_ASSERT(list.user_ids == std::vector<std::string>(users.begin(), users.end()));
  for (size_t i = 0; i < list.size(); ++i)
    RC_ASSERT(list.times[i] ==
              std::stoi(list.user_ids[PairList::user(list.keys[i])].substr(1)) * 1000 +
                  std::stoi(list.item_ids[PairList::item(list.keys[i])].substr(1)));
}

}  // namespace
}  // namespace divns
