// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/digits.h"

namespace divns {

// The commonest lines of all, two plain numbers and nothing else, hundreds at a time. Reading them
// one by one, where a number begins is known only when the one before it is done; here all ends are
// found first, and what is left to do for a number waits for no other.
class PlainPairs {
 public:
  static constexpr size_t kBytes = 4096;
  static constexpr size_t kReadAhead = 8;

  explicit PlainPairs(char delimiter) : delimiter_(delimiter) {}

  // Reads the whole lines among the next kBytes of the text and returns how many bytes these are; 0
  // if any of them is not a plain number (IdToken) of at most eight digits, the delimiter and
  // another such number. kReadAhead readable bytes follow the text.
  size_t read(std::string_view text);

  // Of the lines that were read.
  std::span<const uint32_t> users() const { return std::span(users_).first(count_); }
  std::span<const uint32_t> items() const { return std::span(items_).first(count_); }

 private:
  static constexpr size_t kMostLines = kBytes / 4;  // "1\t2\n"

  char delimiter_;
  size_t count_ = 0;
  std::array<uint32_t, 1 + kBytes + kSparePositions> ends_;  // the first is that of the line before
  std::array<uint64_t, kMostLines> user_words_;
  std::array<uint64_t, kMostLines> item_words_;
  std::array<uint32_t, kMostLines> users_;
  std::array<uint32_t, kMostLines> items_;
};

}  // namespace divns
