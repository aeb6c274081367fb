// SPDX-License-Identifier: Apache-2.0
// Lines of delimited text as RFC 4180 has them: a field may be quoted, and a quoted field may hold
// delimiters, doubled quotes and line breaks. A record is a line with such breaks in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace divns {

// Only files that divide their fields by commas or semicolons have line breaks in quotes. Elsewhere
// a quote is often just a character, and a line is a line.
inline bool has_quoted_breaks(std::string_view delimiter) {
  return delimiter == "," || delimiter == ";";
}

// What divides the fields of a line: a tab, "::", a comma, a semicolon, a bar, or else spaces.
// Quoted text does not count.
std::string guess_delimiter(std::string_view text);

// Length of the first record, its line break included; the whole text where it has no end.
size_t record_length(std::string_view text, std::string_view delimiter);
// How much of the text are whole records. A text that ends inside a quoted field ends before the
// record of that field.
size_t whole_records(std::string_view text, std::string_view delimiter);

// The fields of a record without its line break, quotes taken off. A quote that does not close at
// the end of its field stands for itself.
std::vector<std::string> split_record(std::string_view record, std::string_view delimiter);

}  // namespace divns
