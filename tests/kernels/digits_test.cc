// SPDX-License-Identifier: Apache-2.0
#include "kernels/digits.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"

namespace divns {
namespace {

TEST(Digits, NonDigitsAreFoundAsByTheReference) {
  const std::string alphabet("0123456789\t\n ,:/\x00\x7f\x80\xff", 20);
  const Random random(1, "digits");
  for (uint32_t size = 0; size < 300; ++size) {
    Draws draws = random.draws(size);
    std::string text;
    // From texts of nothing but digits to texts without any.
    for (size_t i = 0; i < size; ++i)
      text += size % 3 == 0   ? alphabet[draws.below(10)]
              : size % 3 == 1 ? alphabet[draws.below(20)]
                              : alphabet[10 + draws.below(10)];
    std::vector<uint32_t> found(size + kSparePositions);
    std::vector<uint32_t> expected(size);
    const size_t count = find_non_digits(text, found);
    ASSERT_EQ(count, reference::find_non_digits(text, expected)) << size;
    found.resize(count);
    expected.resize(count);
    ASSERT_EQ(found, expected) << size;
  }
}

TEST(Digits, LeadingZerosAreFoundWhereverTheyAre) {
  for (size_t size = 0; size < 200; ++size)
    for (size_t at = 0; at < size; ++at)
      for (const char before : {'\t', '7'})
        for (const char after : {'\n', '0'}) {
          std::string text(size, '3');
          text[at] = '0';
          if (at > 0) text[at - 1] = before;
          if (at + 1 < size) text[at + 1] = after;
          const bool expected = (at == 0 || before == '\t') && after == '0' && at + 1 < size;
          ASSERT_EQ(has_leading_zero(text), expected) << size << " " << at << before << after;
          ASSERT_EQ(reference::has_leading_zero(text), expected);
        }
}

TEST(Digits, ValuesAreThoseOfTheText) {
  const std::vector<uint32_t> numbers = {0,     7,      10,      99,       100,      9999,    10000,
                                         54321, 999999, 1000000, 12345678, 99999999, 90000009};
  for (size_t count = 0; count <= numbers.size(); ++count) {
    std::vector<uint64_t> words(count);
    for (size_t i = 0; i < count; ++i) {
      const std::string text = std::to_string(numbers[i]);
      std::memcpy(reinterpret_cast<char*>(&words[i]) + 8 - text.size(), text.data(), text.size());
    }
    std::vector<uint32_t> values(count);
    std::vector<uint32_t> expected(count);
    decimal_values(words, values);
    reference::decimal_values(words, expected);
    ASSERT_EQ(values, expected);
    ASSERT_EQ(values,
              std::vector<uint32_t>(
                  numbers.begin(), numbers.end() - static_cast<ptrdiff_t>(numbers.size() - count)));
  }
}

}  // namespace
}  // namespace divns
