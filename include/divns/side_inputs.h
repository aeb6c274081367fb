// SPDX-License-Identifier: Apache-2.0
// What a training may know besides its pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace divns {

// Each item belongs to one group (option `item_groups`).
struct ItemGroups {
  std::vector<std::string> names;  // of the groups
  std::vector<uint32_t> group_of;  // one per item; empty without groups
};

// The row number of an original id.
using FindId = std::function<std::optional<uint32_t>(std::string_view id)>;

struct SideInputs {
  // Where these are empty, ids are row numbers.
  FindId find_user = {};
  FindId find_item = {};
  ItemGroups item_groups = {};
};

}  // namespace divns
