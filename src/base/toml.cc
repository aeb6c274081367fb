// SPDX-License-Identifier: Apache-2.0
// The only file that includes toml++ (it is slow to compile).
#include "base/toml.h"

#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "base/options.h"

namespace divns {
namespace {

std::string scalar_text(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  fail("{}: text, a number, true, false or a list of these is expected.", where);
}

std::string node_text(const toml::node& node, const std::string& where) {
  const auto* list = node.as_array();
  if (list == nullptr) return scalar_text(node, where);
  std::vector<std::string> parts;
  for (const toml::node& part : *list) parts.push_back(scalar_text(part, where));
  return fmt::format("{}", fmt::join(parts, ","));
}

struct PlacedValue {
  toml::source_position at;
  TomlValue value;
};

void collect(const toml::table& table, const std::vector<std::string>& path,
             const std::string& file, std::vector<PlacedValue>& out) {
  for (const auto& [key, node] : table) {
    std::vector<std::string> inner_path = path;
    inner_path.emplace_back(key.str());
    if (const auto* inner = node.as_table()) {
      collect(*inner, inner_path, file, out);
      continue;
    }
    const toml::source_position at = node.source().begin;
    const std::string where = fmt::format("{}:{}:{}", file, at.line, at.column);
    out.push_back({at, {std::move(inner_path), node_text(node, where), where}});
  }
}

}  // namespace

std::vector<TomlValue> read_toml(const std::string& file) {
  std::vector<PlacedValue> placed;
  try {
    collect(toml::parse_file(file), {}, file, placed);
  } catch (const toml::parse_error& error) {
    const auto position = error.source().begin;
    fail("{}:{}:{}: this is not valid TOML: {}.", file, position.line, position.column,
         error.description());
  }
  // Tables are kept by name; the file's own order is what its author meant.
  std::stable_sort(placed.begin(), placed.end(), [](const PlacedValue& a, const PlacedValue& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  std::vector<TomlValue> values;
  for (PlacedValue& value : placed) values.push_back(std::move(value.value));
  return values;
}

std::string toml_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  if (bare) return key;
  std::string quoted = "\"";
  for (const char c : key) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

void Options::load_toml(const std::string& path, OptionSource source) {
  for (const TomlValue& value : read_toml(path)) {
    try {
      set(fmt::format("{}", fmt::join(value.path, ".")), value.text, source);
    } catch (const Error& error) {
      fail("{}: {}", value.where, error.what());
    }
  }
}

}  // namespace divns
