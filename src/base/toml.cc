// SPDX-License-Identifier: Apache-2.0
// The only file that includes toml++ (it is slow to compile).
#include <toml++/toml.h>

#include <vector>

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

void apply_table(Options& options, const toml::table& table, const std::string& prefix,
                 const std::string& path, OptionSource source) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* inner = node.as_table()) {
      apply_table(options, *inner, name + ".", path, source);
      continue;
    }
    const auto position = node.source().begin;
    const std::string where = fmt::format("{}:{}:{}", path, position.line, position.column);
    try {
      options.set(name, node_text(node, where), source);
    } catch (const Error& error) {
      const std::string_view sentence = error.what();
      fail("{}{}", sentence.starts_with(path) ? "" : where + ": ", sentence);
    }
  }
}

}  // namespace

void Options::load_toml(const std::string& path, OptionSource source) {
  try {
    apply_table(*this, toml::parse_file(path), "", path, source);
  } catch (const toml::parse_error& error) {
    const auto position = error.source().begin;
    fail("{}:{}:{}: this is not valid TOML: {}.", path, position.line, position.column,
         error.description());
  }
}

}  // namespace divns
