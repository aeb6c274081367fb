// SPDX-License-Identifier: Apache-2.0
#include "data/item_groups.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/check.h"
#include "data/record_file.h"

namespace divns {

FindId ids_or_rows(const FindId& find, uint32_t count) {
  if (find) return find;
  return [count](std::string_view id) -> std::optional<uint32_t> {
    uint32_t row = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), row);
    if (error != std::errc() || end != id.data() + id.size() || row >= count) return std::nullopt;
    return row;
  };
}

ItemGroups read_item_groups(const std::string& path, uint32_t items, const FindId& find_item) {
  const FindId find = ids_or_rows(find_item, items);
  std::map<std::string, std::vector<uint32_t>> members;
  std::vector<const std::string*> name_of(items, nullptr);
  read_records(
      path, {.expected = "an item and its group", .allow_spaces = true},
      [&](uint64_t line, const std::vector<std::string>& fields) {
        require_fields(path, line, fields.size(), 2);
        const auto item = find(fields[0]);
        if (!item) return;
        const auto& [name, group] = *members.try_emplace(fields[1]).first;
        if (name_of[*item] != nullptr && *name_of[*item] != name)
          fail(
              "{}:{}: the item '{}' is in the groups '{}' and '{}'; an item belongs to one "
              "group.",
              path, line, fields[0], *name_of[*item], name);
        name_of[*item] = &name;
      });
  ItemGroups result;
  result.group_of.assign(items, 0);
  if (std::all_of(name_of.begin(), name_of.end(), [](const auto* name) { return !name; }))
    fail("{} names no item of the data; lines item,group with original ids are expected.", path);
  std::map<std::string, uint32_t> numbers;
  for (const auto& entry : members) {
    numbers[entry.first] = static_cast<uint32_t>(result.names.size());
    result.names.push_back(entry.first);
  }
  const auto none = static_cast<uint32_t>(result.names.size());
  for (uint32_t i = 0; i < items; ++i)
    result.group_of[i] = name_of[i] == nullptr ? none : numbers[*name_of[i]];
  if (std::find(result.group_of.begin(), result.group_of.end(), none) != result.group_of.end())
    result.names.emplace_back("(none)");
  return result;
}

}  // namespace divns
