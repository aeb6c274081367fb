// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace divns {

// One value of a TOML file: the keys that lead to it, its text (lists joined by commas), and its
// place as "file:line:column" for sentences about it.
struct TomlValue {
  std::vector<std::string> path;
  std::string text;
  std::string where;
};

// Every value, in the order of the file. Throws Error where the file cannot be read or holds a kind
// of value that options do not have.
std::vector<TomlValue> read_toml(const std::string& file);

// A key as TOML writes it: quoted where it has to be.
std::string toml_key(const std::string& key);

}  // namespace divns
