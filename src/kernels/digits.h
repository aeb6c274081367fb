// SPDX-License-Identifier: Apache-2.0
// Decimal numbers out of text, many at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace divns {

// Writes the positions of the bytes that are no decimal digits, ascending, and returns how many
// there are. `positions` has room for kSpare more than the text has bytes: positions are written
// several at a time.
inline constexpr size_t kSparePositions = 8;
size_t find_non_digits(std::string_view text, std::span<uint32_t> positions);

// Whether a number of several digits begins with a zero. The text begins with a number.
bool has_leading_zero(std::string_view text);

// Numbers of up to eight digits. A word holds the digits as text, the last in its highest byte, and
// zeros (or '0') before the first.
void decimal_values(std::span<const uint64_t> words, std::span<uint32_t> values);

namespace reference {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

inline size_t find_non_digits(std::string_view text, std::span<uint32_t> positions) {
  size_t count = 0;
  for (size_t i = 0; i < text.size(); ++i)
    if (!is_digit(text[i])) positions[count++] = static_cast<uint32_t>(i);
  return count;
}

// Of the numbers that begin at `first` or behind it.
inline bool has_leading_zero(std::string_view text, size_t first = 0) {
  for (size_t i = first; i + 1 < text.size(); ++i)
    if (text[i] == '0' && is_digit(text[i + 1]) && (i == 0 || !is_digit(text[i - 1]))) return true;
  return false;
}

inline void decimal_values(std::span<const uint64_t> words, std::span<uint32_t> values) {
  for (size_t i = 0; i < words.size(); ++i) {
    values[i] = 0;
    for (int byte = 0; byte < 8; ++byte)
      values[i] = values[i] * 10 + static_cast<uint32_t>((words[i] >> (8 * byte)) & 0xf);
  }
}

}  // namespace reference
}  // namespace divns
