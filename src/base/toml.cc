// SPDX-License-Identifier: Apache-2.0
// The only file that includes toml++ (it is slow to compile).
#include "base/toml.h"

#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "base/files.h"
#include "divns/options.h"

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

// toml++ parses and frees nested values and dotted keys by recursion, so their depth is checked
// first. A scan that knows strings and comments is enough: counting too much refuses nothing that
// people write.
void check_depth(std::string_view text, const std::string& file) {
  constexpr int kDeepest = 64;
  int depth = 0;
  int dots = 0;  // since the last character that ends a key
  size_t line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    if (c == '"' || c == '\'') {
      const bool is_long = text.substr(i).starts_with(std::string(3, c));
      const std::string end(is_long ? 3 : 1, c);
      i += end.size();
      while (i < text.size() && !text.substr(i).starts_with(end) && (is_long || text[i] != '\n')) {
        if (text[i] == '\n') ++line;
        i += c == '"' && text[i] == '\\' ? 2U : 1U;
      }
      i += end.size() - 1;
      continue;
    }
    if (c == '\n') ++line;
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    dots = c == '.'                                                       ? dots + 1
           : std::string_view("\n=,[{").find(c) != std::string_view::npos ? 0
                                                                          : dots;
    if (depth > kDeepest || dots > kDeepest)
      fail("{}:{}: values and keys may be nested {} deep at most.", file, line, kDeepest);
  }
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
  constexpr uint64_t kLargestConfig = uint64_t{16} << 20;
  const MappedFile bytes(file, Links::kFollow, kLargestConfig);
  check_depth(bytes.text(), file);
  std::vector<PlacedValue> placed;
  try {
    collect(toml::parse(bytes.text(), file), {}, file, placed);
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
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
      continue;
    }
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
