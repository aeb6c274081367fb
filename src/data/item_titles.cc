// SPDX-License-Identifier: Apache-2.0
#include "data/item_titles.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>

#include "base/check.h"
#include "data/line_parser.h"
#include "data/records.h"
#include "data/text_source.h"
#include "divns/did_you_mean.h"

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
  const std::vector<std::string> names = split_record(first_line, delimiter);
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != wanted) continue;
    header = true;
    return i;
  }
  fail("there is no column '{}' for the title.{} The columns are: {}.", wanted,
       did_you_mean(wanted, names), fmt::join(names, ", "));
}

// Of the first line that is not blank.
std::string delimiter_of_titles(std::string_view text, const std::string& path) {
  const size_t begin = text.find_first_not_of("\r\n");
  if (begin == std::string_view::npos) return "\t";
  std::string delimiter = guess_delimiter(text.substr(begin));
  if (delimiter == " ")
    fail("{}:{}: an id and a title, divided by a tab, are expected.", path,
         1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(begin), '\n'));
  return delimiter;
}

}  // namespace

ItemTitles read_item_titles(const std::string& path, const std::string& column,
                            std::span<const std::string> item_ids, Encoding encoding) {
  std::unordered_map<std::string_view, size_t> index;
  index.reserve(item_ids.size());
  for (size_t i = 0; i < item_ids.size(); ++i) index.emplace(item_ids[i], i);
  ItemTitles result;
  result.titles.resize(item_ids.size());

  TextSource source(path, encoding);
  TextBlock block;
  if (!source.next(block)) fail("{} is empty; an id and a title on each line are expected.", path);
  const std::string delimiter = delimiter_of_titles(block.text(), path);
  source.cut_at([&](std::string_view lines) { return whole_records(lines, delimiter); });
  source.take_back(block);
  size_t wanted = 1;
  bool header = false;
  bool started = false;
  uint64_t line_number = 0;
  while (source.next(block)) {
    std::string_view text = block.text();
    while (!text.empty()) {
      std::string_view line = text.substr(0, record_length(text, delimiter));
      text.remove_prefix(line.size());
      const auto breaks = std::count(line.begin(), line.end(), '\n');
      line.remove_suffix(1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      line_number += static_cast<uint64_t>(breaks);
      if (!simdjson::validate_utf8(line.data(), line.size()))
        fail("{}:{}: {}", path, line_number, kNotUtf8);
      if (line.empty()) continue;
      if (!started) {
        started = true;
        try {
          wanted = title_column(column, line, delimiter, header);
        } catch (const Error& error) {
          fail("{}: {}", path, error.what());
        }
        if (header) continue;
      }
      const auto fields = split_record(line, delimiter);
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
  return result;
}

}  // namespace divns
