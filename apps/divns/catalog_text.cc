// SPDX-License-Identifier: Apache-2.0
#include "catalog_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace divns::app {
namespace {

// In a table cell of Markdown a bar would end the cell.
std::string escaped(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

std::string table(const Json& rows) {
  std::string header = "|";
  std::string rule = "|";
  for (const auto& [key, value] : rows[0].items())
    if (key != "options") {
      header += fmt::format(" {} |", key);
      rule += "---|";
    }
  std::string text = header + "\n" + rule + "\n";
  for (const Json& row : rows) {
    text += "|";
    for (const auto& [key, value] : row.items())
      if (key != "options") {
        const auto cell = escaped(value.get<std::string>());
        text += key == "name" ? fmt::format(" `{}` |", cell) : fmt::format(" {} |", cell);
      }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string listing_text(const Json& rows, bool details) {
  size_t width = 0;
  for (const Json& row : rows)
    width = std::max(width, row["name"].get_ref<const std::string&>().size());
  std::string text;
  for (const Json& row : rows) {
    auto field = row.items().begin();
    const std::string name = field.value();
    ++field;
    text += fmt::format("{:<{}}  {}\n", name, width, field.value().get<std::string>());
    if (!details) continue;
    for (++field; field != row.items().end(); ++field) {
      if (field.key() == "options") continue;
      const auto value = field.value().get<std::string>();
      if (!value.empty()) text += fmt::format("  {}: {}\n", field.key(), value);
    }
    if (row.contains("options") && !row["options"].empty())
      text += "options:\n" + listing_text(row["options"], true);
  }
  return text;
}

std::string listing_markdown(const Json& rows) {
  if (rows.empty()) return "";
  std::string text = table(rows);
  for (const Json& row : rows)
    if (row.contains("options") && !row["options"].empty())
      text += fmt::format("\n### Options of `{}`\n\n{}", row["name"].get<std::string>(),
                          table(row["options"]));
  return text;
}

}  // namespace divns::app
