// SPDX-License-Identifier: Apache-2.0
#include "data/record_file.h"

#include <simdjson.h>

#include <algorithm>

#include "base/check.h"
#include "data/line_parser.h"
#include "data/records.h"
#include "data/text_source.h"

namespace divns {
namespace {

// Of the first line that is not blank.
std::string delimiter_of_records(std::string_view text, const std::string& path,
                                 const RecordFormat& format) {
  const size_t begin = text.find_first_not_of("\r\n");
  if (begin == std::string_view::npos) return "\t";
  std::string delimiter = guess_delimiter(text.substr(begin));
  if (delimiter == " " && !format.allow_spaces)
    fail("{}:{}: {}, divided by a tab, are expected.", path,
         1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(begin), '\n'),
         format.expected);
  return delimiter;
}

}  // namespace

void read_records(const std::string& path, const RecordFormat& format, const TakeRecord& take) {
  TextSource source(path, format.encoding, Input::kFile);
  TextBlock block;
  if (!source.next(block))
    fail("{} is empty; {} on each line are expected.", path, format.expected);
  const std::string delimiter = delimiter_of_records(block.text(), path, format);
  source.cut_at([&](std::string_view lines) { return whole_records(lines, delimiter); });
  source.take_back(block);
  uint64_t line_number = 0;
  while (source.next(block)) {
    std::string_view text = block.text();
    while (!text.empty()) {
      std::string_view line = text.substr(0, record_length(text, delimiter));
      text.remove_prefix(line.size());
      line_number += static_cast<uint64_t>(std::count(line.begin(), line.end(), '\n'));
      line.remove_suffix(1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!simdjson::validate_utf8(line.data(), line.size()))
        fail("{}:{}: {}", path, line_number, kNotUtf8);
      if (!line.empty()) take(line_number, split_record(line, delimiter));
    }
  }
}

void require_fields(const std::string& path, uint64_t line, size_t found, size_t least) {
  if (found < least)
    fail("{}:{}: this line has {} of at least {} fields.", path, line, found, least);
}

}  // namespace divns
