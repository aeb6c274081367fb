// SPDX-License-Identifier: Apache-2.0
#include "data/line_parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "data/text_source.h"

namespace divns {
namespace {

struct Parsed {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::vector<int64_t> times;
  uint64_t lines = 0;
  std::string error;
};

// Parses through the same path as the reader: padded buffer, then ids back to text.
Parsed parse(const Layout& layout, std::string text) {
  Parsed result;
  const size_t size = text.size();
  text.append(TextBlock::kPadding, '\0');
  PairBlock block({}, true);
  try {
    result.lines = parse_block(layout, {text.data(), size}, true, block);
  } catch (const LineError& error) {
    result.error = std::to_string(error.line) + ": " + error.sentence;
    return result;
  }
  IdInterner users;
  IdInterner items;
  block.users.intern(users);
  block.items.intern(items);
  IdOrder user_order = IdOrder::of(users);
  IdOrder item_order = IdOrder::of(items);
  user_order.renumber(block.users);
  item_order.renumber(block.items);
  for (size_t i = 0; i < block.users.codes().size(); ++i)
    result.pairs.emplace_back(user_order.ids()[block.users.codes()[i]],
                              item_order.ids()[block.items.codes()[i]]);
  result.times.assign(block.times.begin(), block.times.end());
  return result;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Layout delimited(const std::string& delimiter) {
  Layout layout;
  layout.delimiter = delimiter;
  return layout;
}

// Lines that may be read many at a time, with one among them that may not.
TEST(Delimited, ReadsThousandsOfNumberPairsAndWhatIsStrangeAmongThem) {
  constexpr size_t kLines = 3000;
  for (const auto& [line, user, item] :
       {std::tuple("12345678\t1", "12345678", "1"), std::tuple("0\t0", "0", "0"),
        std::tuple("123456789\t1", "123456789", "1"),
        std::tuple("1\t12345678901", "1", "12345678901"), std::tuple("07\t1", "07", "1"),
        std::tuple("1\t00", "1", "00"), std::tuple("x\t1", "x", "1"),
        std::tuple("1\t2\t3", "1", "2"), std::tuple("1\t2\r", "1", "2"),
        std::tuple("\n1\t2", "1", "2"), std::tuple("\"1\"\t2", "1", "2"),
        std::tuple("1 \t2", "1", "2"), std::tuple("1:2\t3", "1:2", "3")})
    for (const size_t at : {size_t{0}, size_t{1}, size_t{1500}, kLines - 1}) {
      std::string text;
      Pairs expected;
      for (size_t i = 0; i < kLines; ++i) {
        expected.emplace_back(i == at ? user : std::to_string(i * 7919 % 100000),
                              i == at ? item : std::to_string(i));
        text += i == at ? line : expected.back().first + '\t' + expected.back().second;
        text += '\n';
      }
      const Parsed parsed = parse(delimited("\t"), text);
      ASSERT_EQ(parsed.pairs, expected) << line << " at " << at;
      ASSERT_EQ(parsed.lines, kLines + (line[0] == '\n' ? 1 : 0));
    }
}

TEST(Delimited, CountsLinesBeforeABadOneAmongThousands) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "10\t20\n";
  EXPECT_EQ(parse(delimited("\t"), text + "11\n" + text).error.substr(0, 6), "2001: ");
  EXPECT_EQ(parse(delimited("\t"), text + "\t5\n").error.substr(0, 6), "2001: ");
}

TEST(Delimited, ReadsNumbersTextCarriageReturnsAndBlankLines) {
  EXPECT_EQ(parse(delimited("\t"), "1\t2\r\n\n007\tx y\n3\t4\textra\n").pairs,
            (Pairs{{"1", "2"}, {"007", "x y"}, {"3", "4"}}));
  EXPECT_EQ(parse(delimited(" "), "  1   2 \n3\t4\n").pairs, (Pairs{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(parse(delimited("::"), "a:b::c\n1::2\n").pairs, (Pairs{{"a:b", "c"}, {"1", "2"}}));
  EXPECT_EQ(parse(delimited(","), " 1 , 2\n").pairs, (Pairs{{"1", "2"}}));
}

TEST(Delimited, UnderstandsQuotes) {
  EXPECT_EQ(parse(delimited(","), "\"a,b\",\"say \"\"hi\"\"\"\n").pairs,
            (Pairs{{"a,b", "say \"hi\""}}));
  EXPECT_EQ(parse(delimited(","), "1,2\n\"open,3\n").error.substr(0, 10), "2: a quote");
  EXPECT_EQ(parse(delimited(","), "\"a\"b,3\n").error.substr(0, 15), "1: text follows");
}

TEST(Delimited, ReadsRatingsTimesAndAnyColumnOrder) {
  Layout layout = delimited(",");
  layout.header = true;
  layout.user = 3;
  layout.item = 0;
  layout.rating = 1;
  layout.time = 2;
  const Parsed parsed = parse(layout, "i,r,t,u\n9,4.5,100,alice\n8,1e0,2018-07-07,bob\n");
  EXPECT_EQ(parsed.pairs, (Pairs{{"alice", "9"}, {"bob", "8"}}));
  EXPECT_EQ(parsed.times, (std::vector<int64_t>{100, 1530921600}));
  EXPECT_EQ(parsed.lines, 3U);
}

TEST(Delimited, BadFieldsAreNamedByLine) {
  Layout layout = delimited("\t");
  layout.rating = 2;
  EXPECT_EQ(
      parse(layout, "1\t2\t3\n1\t2\n").error,
      "2: this line has 2 of at least 3 fields; the fields are expected to be divided by tabs.");
  EXPECT_EQ(parse(layout, "1\t2\tgood\n").error,
            "1: the rating is 'good', but a finite number is expected.");
  EXPECT_EQ(parse(layout, "1\t2\tnan\n").error,
            "1: the rating is 'nan', but a finite number is expected.");
  EXPECT_EQ(parse(layout, "1\t2\tinf\n").error,
            "1: the rating is 'inf', but a finite number is expected.");
  EXPECT_EQ(parse(layout, "\t2\t3\n").error, "1: the user id is empty; every pair needs one.");
  EXPECT_EQ(parse(layout, "1\t \t3\n").error, "1: the item id is empty; every pair needs one.");
  layout.rating = -1;
  layout.time = 2;
  EXPECT_EQ(
      parse(layout, "1\t2\tyesterday\n").error,
      "1: the time is 'yesterday', but a number or a date like 2018-07-07 22:09:11 is expected.");
}

TEST(Adjacency, ReadsUsersWithAnyNumberOfItems) {
  Layout layout;
  layout.kind = Layout::Kind::kAdjacency;
  const Parsed parsed = parse(layout, "0 5 6 \n1\n\n2 7\r\n");
  EXPECT_EQ(parsed.pairs, (Pairs{{"0", "5"}, {"0", "6"}, {"2", "7"}}));
  EXPECT_EQ(parsed.lines, 4U);
}

TEST(JsonLines, ReadsAmazonAndYelp) {
  Layout layout;
  layout.kind = Layout::Kind::kJsonLines;
  layout.user_key = "user_id";
  layout.item_key = "business_id";
  layout.rating_key = "stars";
  layout.time_key = "date";
  const Parsed parsed = parse(
      layout,
      R"({"user_id":"m\"x","business_id":"X","stars":3.0,"text":"a\nb","date":"2018-07-07 22:09:11"})"
      "\n\n"
      R"({"date":"1970-01-01","stars":"4","business_id":12,"user_id":"é"})"
      "\n");
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.pairs, (Pairs{{"m\"x", "X"}, {"é", "12"}}));
  EXPECT_EQ(parsed.times, (std::vector<int64_t>{1531001351, 0}));
}

TEST(JsonLines, BadObjectsAreNamedByLine) {
  Layout layout;
  layout.kind = Layout::Kind::kJsonLines;
  layout.user_key = "u";
  layout.item_key = "i";
  EXPECT_EQ(parse(layout, "{\"u\":\"a\",\"i\":\"b\"}\n{\"u\":\"a\"}\n").error,
            "2: the object has no 'i', or an empty one.");
  EXPECT_EQ(parse(layout, "{\"u\":\"a\",\n").error.substr(0, 30), "1: a JSON object is expected, ");
  EXPECT_EQ(parse(layout, "[1]\n").error,
            "1: a JSON object is expected, but: this is another kind of value");
}

TEST(Dates, AreCheckedAgainstTheCalendar) {
  int64_t seconds = 0;
  EXPECT_TRUE(parse_date("2000-02-29T12:00:00Z", seconds));
  EXPECT_EQ(seconds, 951825600);
  EXPECT_FALSE(parse_date("2001-02-29", seconds));
  EXPECT_FALSE(parse_date("2001-2-3", seconds));
  EXPECT_FALSE(parse_date("2001-02-03 25:00:00", seconds));
}

TEST(IdTokens, OnlyPlainNumbersAreNumbers) {
  EXPECT_TRUE(make_id_token("0").is_number);
  EXPECT_EQ(make_id_token("999999999").number, 999999999U);
  for (const char* text : {"", "00", "01", "-1", "+1", "1.0", "1e3", "1000000000", "x"})
    EXPECT_FALSE(make_id_token(text).is_number) << text;
}

}  // namespace
}  // namespace divns
