// SPDX-License-Identifier: Apache-2.0
#include "data/line_parser.h"

#include <simdjson.h>

#include <charconv>
#include <chrono>
#include <cmath>

#include "base/check.h"
#include "base/escape.h"

namespace divns {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <class T>
bool parse_whole(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

uint64_t line_of_invalid_utf8(std::string_view text) {
  uint64_t line = 1;
  for (size_t begin = 0; begin < text.size(); ++line) {
    const size_t end = text.find('\n', begin) + 1;
    if (!simdjson::validate_utf8(text.data() + begin, end - begin)) return line;
    begin = end;
  }
  return line;
}

}  // namespace

void require_utf8(std::string_view text, uint64_t lines_before) {
  if (!simdjson::validate_utf8(text.data(), text.size()))
    throw LineError{lines_before + line_of_invalid_utf8(text), std::string(kNotUtf8)};
}

double parse_rating(std::string_view text, uint64_t line) {
  double value = 0;
  if (!parse_whole(trimmed(text), value) || !std::isfinite(value))
    throw LineError{
        line, fmt::format("the rating is '{}', but a finite number is expected.", excerpt(text))};
  return value;
}

int64_t parse_time(std::string_view text, uint64_t line) {
  const std::string_view word = trimmed(text);
  int64_t whole = 0;
  if (parse_whole(word, whole)) return whole;
  double real = 0;
  constexpr double kLargest = 9e18;
  if (parse_whole(word, real) && std::abs(real) < kLargest)
    return static_cast<int64_t>(std::floor(real));
  if (parse_date(word, whole)) return whole;
  throw LineError{
      line,
      fmt::format("the time is '{}', but a number or a date like 2018-07-07 22:09:11 is expected.",
                  excerpt(text))};
}

bool parse_date(std::string_view text, int64_t& seconds) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  if (text.size() != 10 && text.size() != 19) return false;
  const auto field = [&](size_t at, size_t length, int low, int high, int& value) {
    return parse_whole(text.substr(at, length), value) && value >= low && value <= high;
  };
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (text[4] != '-' || text[7] != '-' || !field(0, 4, 0, 9999, year) ||
      !field(5, 2, 1, 12, month) || !field(8, 2, 1, 31, day))
    return false;
  if (text.size() == 19 &&
      ((text[10] != ' ' && text[10] != 'T') || text[13] != ':' || text[16] != ':' ||
       !field(11, 2, 0, 23, hour) || !field(14, 2, 0, 59, minute) || !field(17, 2, 0, 60, second)))
    return false;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  seconds = ((int64_t{days} * 24 + hour) * 60 + minute) * 60 + second;
  return true;
}

uint64_t parse_block(const Layout& layout, std::string_view block, bool first_block,
                     PairBlock& pairs) {
  switch (layout.kind) {
    case Layout::Kind::kDelimited:
      return parse_delimited(layout, block, first_block, pairs);  // checks only what it must
    case Layout::Kind::kAdjacency:
      require_utf8(block);
      return parse_adjacency(layout, block, pairs);
    case Layout::Kind::kJsonLines:
      require_utf8(block);
      return parse_json_lines(layout, block, pairs);
    case Layout::Kind::kMemory:
      break;
  }
  return 0;
}

}  // namespace divns
