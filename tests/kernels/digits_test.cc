// SPDX-License-Identifier: Apache-2.0
#include "kernels/digits.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "divns/random.h"

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

struct NumberedText {
  std::vector<uint32_t> ends = {UINT32_MAX};
  std::vector<uint64_t> users;
  std::vector<uint64_t> items;

  explicit NumberedText(const std::vector<std::string>& numbers) {
    std::string text;
    for (const std::string& number : numbers) {
      text += number + '\n';
      ends.push_back(static_cast<uint32_t>(text.size() - 1));
    }
    text.append(8, '9');
    for (size_t i = 0; i < numbers.size(); ++i) {
      uint64_t word = 0;
      std::memcpy(&word, text.data() + static_cast<uint32_t>(ends[i] + 1), sizeof word);
      (i % 2 == 0 ? users : items).push_back(word);
    }
  }
  DigitWords words() const { return {ends, users, items}; }
};

TEST(Digits, ValuesAreThoseOfTheText) {
  const Random random(1, "numbers");
  for (uint32_t pairs = 0; pairs < 40; ++pairs) {
    Draws draws = random.draws(pairs);
    std::vector<std::string> numbers;
    std::vector<uint32_t> users;
    std::vector<uint32_t> items;
    for (uint32_t i = 0; i < 2 * pairs; ++i) {
      uint32_t bound = 10;  // as many numbers of each length
      for (uint32_t digits = draws.below(8); digits > 0; --digits) bound *= 10;
      const uint32_t number = bound - 1 - draws.below(bound - bound / 10);
      numbers.push_back(std::to_string(number));
      (i % 2 == 0 ? users : items).push_back(number);
    }
    const NumberedText text(numbers);
    std::vector<uint32_t> found_users(pairs);
    std::vector<uint32_t> found_items(pairs);
    ASSERT_TRUE(decimal_pairs(text.words(), found_users, found_items));
    ASSERT_EQ(found_users, users);
    ASSERT_EQ(found_items, items);
    ASSERT_TRUE(reference::decimal_pairs(text.words(), found_users, found_items));
    ASSERT_EQ(found_users, users);
    ASSERT_EQ(found_items, items);
  }
}

TEST(Digits, NumbersWithoutDigitsOrWithTooManyAreRefusedWhereverTheyAre) {
  for (const char* strange : {"", "123456789", "1234567890123456", "12345678901234567890"})
    for (size_t at = 0; at < 40; ++at) {
      std::vector<std::string> numbers(40, "12345678");
      numbers[at] = strange;
      const NumberedText text(numbers);
      std::vector<uint32_t> users(20);
      std::vector<uint32_t> items(20);
      ASSERT_FALSE(decimal_pairs(text.words(), users, items)) << strange << " at " << at;
      ASSERT_FALSE(reference::decimal_pairs(text.words(), users, items));
    }
}

}  // namespace
}  // namespace divns
