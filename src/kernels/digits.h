// SPDX-License-Identifier: Apache-2.0
// Parses decimal numbers in text, many at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace divns {

// Writes the positions of the bytes that are not decimal digits, ascending, and returns their
// number. Positions are written several at a time, so `positions` must have room for kSpare more
// entries than the text has bytes.
inline constexpr size_t kSparePositions = 8;
size_t find_non_digits(std::string_view text, std::span<uint32_t> positions);

// Whether a number of several digits begins with a zero. The text must begin with a number.
bool has_leading_zero(std::string_view text);

// Values of numbers of one to eight digits that come in pairs (user, item). Number k of the text,
// counted from 0, begins after position ends[k] and ends before position ends[k + 1]. Its word
// holds the eight bytes from its first digit. Returns false, without values, if a number has
// another length.
struct DigitWords {
  std::span<const uint32_t> ends;  // 2 * pairs + 1 entries
  std::span<const uint64_t> users;
  std::span<const uint64_t> items;
};
bool decimal_pairs(const DigitWords& words, std::span<uint32_t> users, std::span<uint32_t> items);

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

// For the numbers that begin at or after position `first`.
inline bool has_leading_zero(std::string_view text, size_t first = 0) {
  for (size_t i = first; i + 1 < text.size(); ++i)
    if (text[i] == '0' && is_digit(text[i + 1]) && (i == 0 || !is_digit(text[i - 1]))) return true;
  return false;
}

// For the pairs from number `first` on.
inline bool decimal_pairs(const DigitWords& words, std::span<uint32_t> users,
                          std::span<uint32_t> items, size_t first = 0) {
  const auto value = [](uint64_t word, uint32_t length) {
    uint32_t sum = 0;
    for (uint32_t byte = 0; byte < length; ++byte)
      sum = sum * 10 + static_cast<uint32_t>((word >> (8 * byte)) & 0xf);
    return sum;
  };
  for (size_t k = first; k < words.users.size(); ++k) {
    const uint32_t user_length = words.ends[2 * k + 1] - words.ends[2 * k] - 1;
    const uint32_t item_length = words.ends[2 * k + 2] - words.ends[2 * k + 1] - 1;
    if (user_length - 1 > 7 || item_length - 1 > 7) return false;
    users[k] = value(words.users[k], user_length);
    items[k] = value(words.items[k], item_length);
  }
  return true;
}

}  // namespace reference
}  // namespace divns
