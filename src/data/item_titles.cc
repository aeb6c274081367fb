// SPDX-License-Identifier: Apache-2.0
#include "data/item_titles.h"

#include <simdjson.h>

#include <charconv>
#include <string_view>
#include <unordered_map>

#include "base/check.h"
#include "base/nearest.h"
#include "data/layout.h"
#include "data/text_source.h"

namespace divns {
namespace {

// Column of the title, counted from 0; a name other than a number means that the first line is a
// header.
size_t title_column(const std::string& wanted, std::string_view first_line,
                    const std::string& delimiter, bool& header) {
  header = false;
  if (wanted.empty()) return 1;
  size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error == std::errc() && end == wanted.data() + wanted.size() && number >= 2)
    return number - 1;
  std::vector<std::string> names;
  for (const auto field : split_fields(first_line, delimiter)) names.emplace_back(field);
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != wanted) continue;
    header = true;
    return i;
  }
  fail("there is no column '{}' for the title.{} The columns are: {}.", wanted,
       did_you_mean(wanted, names), fmt::join(names, ", "));
}

}  // namespace

ItemTitles read_item_titles(const std::string& path, const std::string& column,
                            std::span<const std::string> item_ids) {
  std::unordered_map<std::string_view, size_t> index;
  index.reserve(item_ids.size());
  for (size_t i = 0; i < item_ids.size(); ++i) index.emplace(item_ids[i], i);
  ItemTitles result;
  result.titles.resize(item_ids.size());

  TextSource source(path);
  TextBlock block;
  std::string delimiter;
  size_t wanted = 1;
  bool header = false;
  uint64_t line_number = 0;
  while (source.next(block)) {
    std::string_view text = block.text();
    while (!text.empty()) {
      std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(line.size() + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++line_number;
      if (!simdjson::validate_utf8(line.data(), line.size()))
        fail("{}:{}: this line is not valid UTF-8; convert the file first, for example with iconv.",
             path, line_number);
      if (line.empty()) continue;
      if (delimiter.empty()) {
        for (const char* candidate : {"\t", "::", "|", ","})
          if (delimiter.empty() && line.find(candidate) != std::string_view::npos)
            delimiter = candidate;
        if (delimiter.empty())
          fail("{}:{}: an id and a title, divided by a tab, are expected.", path, line_number);
        try {
          wanted = title_column(column, line, delimiter, header);
        } catch (const Error& error) {
          fail("{}: {}", path, error.what());
        }
        if (header) continue;
      }
      const auto fields = split_fields(line, delimiter);
      if (fields.size() <= wanted)
        fail("{}:{}: this line has {} of at least {} fields.", path, line_number, fields.size(),
             wanted + 1);
      const auto known = index.find(fields[0]);
      if (known == index.end()) {
        ++result.unknown;
        continue;
      }
      if (result.titles[known->second].empty()) ++result.found;
      result.titles[known->second] = fields[wanted];
    }
  }
  if (line_number == 0) fail("{} is empty; an id and a title on each line are expected.", path);
  return result;
}

}  // namespace divns
