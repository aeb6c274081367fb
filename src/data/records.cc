// SPDX-License-Identifier: Apache-2.0
#include "data/records.h"

#include <algorithm>
#include <array>

namespace divns {
namespace {

// Where a quoted field that begins at `at` ends: behind its closing quote; npos where there is
// none.
size_t end_of_quoted(std::string_view text, size_t at) {
  for (size_t i = at + 1;;) {
    i = text.find('"', i);
    if (i == std::string_view::npos) return i;
    if (i + 1 >= text.size() || text[i + 1] != '"') return i + 1;
    i += 2;
  }
}

size_t skip_spaces(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t", at), text.size());
}

bool ends_field(std::string_view text, size_t at, std::string_view delimiter) {
  if (at >= text.size() || text[at] == '\n') return true;
  if (text[at] == '\r') return at + 1 >= text.size() || text[at + 1] == '\n';
  return text.substr(at).starts_with(delimiter) || (delimiter == " " && text[at] == '\t');
}

// The end of the field at `at`: a delimiter, a line break or the end of the text; npos where the
// text ends inside quotes.
size_t end_of_field(std::string_view text, size_t at, std::string_view delimiter) {
  if (at < text.size() && text[at] == '"') {
    at = end_of_quoted(text, at);
    if (at == std::string_view::npos) return at;
  }
  while (!ends_field(text, at, delimiter)) ++at;
  return at;
}

}  // namespace

std::string guess_delimiter(std::string_view text) {
  constexpr std::array<std::string_view, 5> kCandidates = {"\t", "::", ",", ";", "|"};
  std::array<bool, kCandidates.size()> seen = {};
  for (size_t i = 0; i < text.size() && text[i] != '\n'; ++i) {
    const size_t closed = text[i] == '"' ? end_of_quoted(text, i) : std::string_view::npos;
    if (closed != std::string_view::npos) i = std::min(closed, text.size() - 1);
    for (size_t k = 0; k < kCandidates.size(); ++k)
      seen[k] = seen[k] || text.substr(i).starts_with(kCandidates[k]);
  }
  for (size_t k = 0; k < kCandidates.size(); ++k)
    if (seen[k]) return std::string(kCandidates[k]);
  return " ";
}

size_t record_length(std::string_view text, std::string_view delimiter) {
  const size_t newline = std::min(text.find('\n'), text.size());
  if (!has_quoted_breaks(delimiter) || text.substr(0, newline).find('"') == std::string_view::npos)
    return std::min(newline + 1, text.size());
  for (size_t at = 0; at < text.size();) {
    at = end_of_field(text, at, delimiter);
    if (at >= text.size()) return text.size();
    if (text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') return at + 1;
    at += delimiter.size();
  }
  return text.size();
}

size_t whole_records(std::string_view text, std::string_view delimiter) {
  const size_t quote = has_quoted_breaks(delimiter) ? text.find('"') : std::string_view::npos;
  if (quote == std::string_view::npos) return text.size();
  size_t at = quote == 0 ? 0 : text.rfind('\n', quote - 1) + 1;  // npos + 1 is 0
  while (at < text.size()) {
    const size_t length = record_length(text.substr(at), delimiter);
    if (at + length == text.size()) {
      // The last one: whole only if its own last line break ends it.
      const std::string_view last = text.substr(at);
      const size_t end = last.ends_with('\n') ? last.size() - 1 : last.size();
      for (size_t field = 0; field < end;) {
        const size_t stop = end_of_field(last, field, delimiter);
        if (stop == std::string_view::npos) return at;
        field = stop + delimiter.size();
        if (stop >= end || last[stop] == '\n') break;
      }
    }
    at += length;
  }
  return text.size();
}

std::vector<std::string> split_record(std::string_view record, std::string_view delimiter) {
  std::vector<std::string> fields;
  const bool spaces = delimiter == " ";
  for (size_t at = 0;;) {
    if (spaces) at = skip_spaces(record, at);
    if (spaces && at >= record.size()) break;
    size_t closed = std::string_view::npos;
    if (at < record.size() && record[at] == '"') closed = end_of_quoted(record, at);
    size_t end = 0;
    if (closed != std::string_view::npos && ends_field(record, closed, delimiter)) {
      std::string& field = fields.emplace_back();
      for (size_t i = at + 1; i + 1 < closed; ++i) {
        field += record[i];
        if (record[i] == '"') ++i;
      }
      end = closed;
    } else {
      end = spaces ? record.find_first_of(" \t", at) : record.find(delimiter, at);
      end = std::min(end, record.size());
      fields.emplace_back(record.substr(at, end - at));
    }
    if (end >= record.size()) break;
    at = end + delimiter.size();
  }
  return fields;
}

}  // namespace divns
