// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace divns {

// One option and its value as text, as `--set name=value` takes them.
struct Setting {
  std::string name;
  std::string value;
  bool operator==(const Setting&) const = default;
};

// Where a name occurs twice, the later one counts.
using Settings = std::vector<Setting>;

// "divns.lambda=0.5"
Setting parse_setting(std::string_view name_equals_value);
std::string to_string(const Setting& setting);

}  // namespace divns
