// SPDX-License-Identifier: Apache-2.0
#include "data/item_lists.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/escape.h"
#include "data/item_groups.h"
#include "data/line_parser.h"
#include "data/record_file.h"

namespace divns {
namespace {

struct ListEntry {
  uint32_t user;
  uint32_t item;
  float weight;
};

float parse_weight(const std::string& path, uint64_t line, const std::string& text) {
  double weight = 0;
  try {
    weight = parse_rating(text, line);
  } catch (const LineError& error) {
    fail("{}:{}: the weight '{}' is not a number.", path, line, excerpt(text));
  }
  if (!std::isfinite(weight) || static_cast<float>(weight) <= 0)
    fail("{}:{}: the weight is {}; a number above 0 is expected.", path, line, excerpt(text));
  return static_cast<float>(weight);
}

}  // namespace

ItemLists read_item_lists(const std::string& path, uint32_t users, uint32_t items,
                          const SideInputs& inputs) {
  const FindId find_user = ids_or_rows(inputs.find_user, users);
  const FindId find_item = ids_or_rows(inputs.find_item, items);
  ItemLists lists;
  std::vector<ListEntry> entries;
  bool first = true;
  read_records(path, {.expected = "a user and an item", .allow_spaces = true},
               [&](uint64_t line, const std::vector<std::string>& fields) {
                 require_fields(path, line, fields.size(), 2);
                 const auto user = find_user(fields[0]);
                 const auto item = find_item(fields[1]);
                 const bool header = first && !user && !item;
                 first = false;
                 if (header) return;
                 ++lists.lines;
                 if (!user || !item) {
                   ++lists.unknown;
                   return;
                 }
                 const float weight =
                     fields.size() > 2 ? parse_weight(path, line, fields[2]) : 1.0F;
                 entries.push_back({*user, *item, weight});
               });
  if (entries.empty())
    fail(
        "{} names no user and item of the data; lines user,item[,weight] with original ids are "
        "expected.",
        path);
  std::stable_sort(entries.begin(), entries.end(), [](const ListEntry& a, const ListEntry& b) {
    return a.user != b.user ? a.user < b.user : a.item < b.item;
  });
  lists.offsets.assign(size_t{users} + 1, 0);
  for (size_t e = 0; e < entries.size(); ++e) {
    const ListEntry& entry = entries[e];
    if (e > 0 && entries[e - 1].user == entry.user && entries[e - 1].item == entry.item) {
      lists.weights.back() += entry.weight;
      continue;
    }
    lists.items.push_back(entry.item);
    lists.weights.push_back(entry.weight);
    lists.offsets[entry.user + size_t{1}] = lists.items.size();
  }
  for (size_t u = 1; u < lists.offsets.size(); ++u)
    lists.offsets[u] = std::max(lists.offsets[u], lists.offsets[u - 1]);
  return lists;
}

}  // namespace divns
