// SPDX-License-Identifier: Apache-2.0
#include "io/matrix_file.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"
#include "divns/dpp.h"

namespace divns {
namespace {

constexpr std::string_view kSeparators = ",;\t ";

// The numbers of a line, or the field that is none.
std::optional<std::string_view> parse_line(std::string_view line, std::vector<float>& numbers) {
  numbers.clear();
  while (true) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::nullopt;
    line.remove_prefix(begin);
    const std::string_view field = line.substr(0, line.find_first_of(kSeparators));
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc::invalid_argument || end != field.data() + field.size()) return field;
    // from_chars does not tell 1e-400, which is 0 in floating point, from 1e400.
    if (error == std::errc::result_out_of_range)
      value = std::strtod(std::string(field).c_str(), nullptr);
    if (!std::isfinite(static_cast<float>(value))) return field;
    numbers.push_back(static_cast<float>(value));
    line.remove_prefix(field.size());
    const size_t next = line.find_first_not_of(" \t");
    if (next == std::string_view::npos) return std::nullopt;
    line.remove_prefix(next);
    if (line.front() == ',' || line.front() == ';') line.remove_prefix(1);
  }
}

// Column names: no field is a number. "nan" and "inf" are numbers, though not ones to use.
bool is_header(std::string_view line) {
  while (!line.empty()) {
    const size_t begin = line.find_first_not_of(kSeparators);
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    const std::string_view field = line.substr(0, line.find_first_of(kSeparators));
    line.remove_prefix(field.size());
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (end == field.data() + field.size() && error != std::errc::invalid_argument) return false;
  }
  return true;
}

NpyArray<float> parse_text(std::string_view text, const std::string& path) {
  NpyArray<float> table;
  std::vector<float> numbers;
  size_t line_number = 0;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++line_number;
    if (line.empty()) continue;
    const auto wrong = parse_line(line, numbers);
    if (wrong && line_number == 1 && is_header(line)) continue;
    if (wrong)
      fail("{}:{}: '{}' is not a finite number of 32 bits.", path, line_number, excerpt(*wrong));
    if (table.rows == 0) table.columns = numbers.size();
    if (numbers.size() != table.columns)
      fail("{}:{}: {} numbers; expected {} as in the rows before.", path, line_number,
           numbers.size(), table.columns);
    table.values.insert(table.values.end(), numbers.begin(), numbers.end());
    ++table.rows;
  }
  if (table.rows == 0) fail("{}: holds no numbers.", path);
  return table;
}

}  // namespace

NpyArray<float> read_matrix(const std::filesystem::path& path) {
  const MappedFile file(path);
  const bool is_npy = file.text().starts_with("\x93NUMPY");
  return is_npy ? parse_npy<float>(file.text(), path.string())
                : parse_text(file.text(), path.string());
}

FloatMatrix load_matrix(const std::filesystem::path& path) {
  const NpyArray<float> array = read_matrix(path);
  return {array.rows, array.columns, {array.values.begin(), array.values.end()}};
}

}  // namespace divns
