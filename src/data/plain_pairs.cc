// SPDX-License-Identifier: Apache-2.0
#include "data/plain_pairs.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace divns {
namespace {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

// The text from `begin` to `end` as decimal_values() wants it. A length from 1 to 8 leaves
// `lengths` below 8, any other does not.
uint64_t digits_word(const char* begin, const char* end, uint64_t& lengths) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, begin, sizeof bytes);
  const auto length = static_cast<uint64_t>(end - begin);
  lengths |= length - 1;
  return bytes << ((64 - 8 * length) & 63);  // what lies behind the last digit falls out
}

}  // namespace

size_t PlainPairs::read(std::string_view text) {
  text = text.substr(0, kBytes);
  const size_t ends = find_non_digits(text, ends_);
  count_ = std::min(ends / 2, kMostLines);
  const char* line = text.data();
  uint64_t lengths = 0;
  int strangers = 0;  // bits in which an end is not what it should be
  for (size_t k = 0; k < count_; ++k) {
    const char* user_end = text.data() + ends_[2 * k];
    const char* item_end = text.data() + ends_[2 * k + 1];
    user_words_[k] = digits_word(line, user_end, lengths);
    item_words_[k] = digits_word(user_end + 1, item_end, lengths);
    strangers |= (*user_end ^ delimiter_) | (*item_end ^ '\n');
    line = item_end + 1;
  }
  if (lengths >= 8 || strangers != 0 || has_leading_zero(text)) count_ = 0;
  decimal_values(std::span(user_words_).first(count_), users_);
  decimal_values(std::span(item_words_).first(count_), items_);
  return count_ == 0 ? 0 : static_cast<size_t>(line - text.data());
}

}  // namespace divns
