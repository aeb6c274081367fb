// SPDX-License-Identifier: Apache-2.0
#include "data/plain_pairs.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace divns {
namespace {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

uint64_t eight_bytes(const char* text) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

}  // namespace

size_t PlainPairs::read(std::string_view text) {
  text = text.substr(0, kBytes);
  ends_[0] = UINT32_MAX;  // one before the first byte
  const size_t ends = find_non_digits(text, std::span(ends_).subspan(1));
  count_ = std::min(ends / 2, kMostLines);
  const char* line = text.data();
  int strangers = 0;  // bits in which an end is not what it should be
  for (size_t k = 0; k < count_; ++k) {
    const char* user_end = text.data() + ends_[2 * k + 1];
    const char* item_end = text.data() + ends_[2 * k + 2];
    user_words_[k] = eight_bytes(line);
    item_words_[k] = eight_bytes(user_end + 1);
    strangers |= (*user_end ^ delimiter_) | (*item_end ^ '\n');
    line = item_end + 1;
  }
  const DigitWords words = {std::span(ends_).first(2 * count_ + 1),
                            std::span(user_words_).first(count_),
                            std::span(item_words_).first(count_)};
  if (strangers != 0 || has_leading_zero(text) || !decimal_pairs(words, users_, items_)) count_ = 0;
  return count_ == 0 ? 0 : static_cast<size_t>(line - text.data());
}

}  // namespace divns
