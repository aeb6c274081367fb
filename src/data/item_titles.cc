// SPDX-License-Identifier: Apache-2.0
#include "data/item_titles.h"

#include <charconv>
#include <string_view>
#include <unordered_map>

#include "base/check.h"
#include "data/record_file.h"
#include "divns/did_you_mean.h"

namespace divns {
namespace {

// Column of the title, counted from 0; a name other than a number means that the first line is a
// header.
size_t title_column(const std::string& wanted, const std::vector<std::string>& first_record,
                    bool& header) {
  header = false;
  if (wanted.empty()) return 1;
  size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error == std::errc() && end == wanted.data() + wanted.size() && number >= 2)
    return number - 1;
  for (size_t i = 0; i < first_record.size(); ++i) {
    if (first_record[i] != wanted) continue;
    header = true;
    return i;
  }
  fail("there is no column '{}' for the title.{} The columns are: {}.", wanted,
       did_you_mean(wanted, first_record), fmt::join(first_record, ", "));
}

}  // namespace

ItemTitles read_item_titles(const std::string& path, const std::string& column,
                            const IdList& item_ids, Encoding encoding) {
  std::unordered_map<std::string_view, size_t> index;
  index.reserve(item_ids.size());
  for (size_t i = 0; i < item_ids.size(); ++i) index.emplace(item_ids[i], i);
  ItemTitles result;
  result.titles.resize(item_ids.size());

  size_t wanted = 1;
  bool started = false;
  read_records(path, {.expected = "an id and a title", .encoding = encoding},
               [&](uint64_t line, const std::vector<std::string>& fields) {
                 if (!started) {
                   started = true;
                   bool header = false;
                   try {
                     wanted = title_column(column, fields, header);
                   } catch (const Error& error) {
                     fail("{}: {}", path, error.what());
                   }
                   if (header) return;
                 }
                 require_fields(path, line, fields.size(), wanted + 1);
                 const auto known = index.find(fields[0]);
                 if (known == index.end()) {
                   ++result.unknown;
                   return;
                 }
                 if (result.titles[known->second].empty()) ++result.found;
                 result.titles[known->second] = fields[wanted];
               });
  return result;
}

}  // namespace divns
