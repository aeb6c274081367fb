// SPDX-License-Identifier: Apache-2.0
#include "data/id_column.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "data/id_order.h"

namespace divns {
namespace {

// Feeds ids in blocks of three and returns the final ids with the positions of the given ones.
std::pair<std::vector<std::string>, std::vector<uint32_t>> number(
    const std::vector<std::string>& given, int threads = 1) {
  IdInterner interner;
  std::vector<std::unique_ptr<IdColumn>> columns;
  for (size_t i = 0; i < given.size(); ++i) {
    if (i % 3 == 0) columns.push_back(std::make_unique<IdColumn>());
    columns.back()->add(make_id_token(given[i]));
  }
  std::vector<IdColumn*> pointers;
  for (auto& column : columns) {
    column->intern(interner);
    pointers.push_back(column.get());
  }
  IdOrder order = IdOrder::of_columns(pointers, interner, Executor(threads));
  std::vector<uint32_t> positions;
  for (IdColumn* column : pointers) {
    order.renumber(column->codes());
    positions.insert(positions.end(), column->codes().begin(), column->codes().end());
  }
  return {order.ids(), positions};
}

std::vector<uint32_t> written_out(const IdColumn& column) {
  std::vector<uint32_t> codes;
  for (size_t i = 0; i < column.codes().size(); ++i)
    codes.insert(codes.end(), column.counts().empty() ? 1 : column.counts()[i], column.codes()[i]);
  return codes;
}

TEST(IdColumn, JoinsRepeatsOnlyWhereThatSavesRoom) {
  IdInterner interner;
  for (const bool text : {false, true}) {
    IdColumn column;
    for (const int id : {7, 7, 7, 7, 7, 3, 3, 3, 7, 7, 7, 7})
      column.add(make_id_token(text ? fmt::format("u{}", id) : std::to_string(id)));
    const std::vector<uint32_t> before = written_out(column);
    column.join_repeats();
    EXPECT_EQ(column.codes().size(), 3U);
    EXPECT_EQ(std::vector(column.counts().begin(), column.counts().end()),
              (std::vector<uint32_t>{5, 3, 4}));
    EXPECT_EQ(written_out(column), before);
    column.intern(interner);
    const IdColumn copy = column.copied(std::pmr::get_default_resource());
    EXPECT_EQ(written_out(copy), written_out(column));
    EXPECT_EQ(copy.is_text(), text);
    EXPECT_EQ(copy.bits(), text ? 0 : 7);

    column.clear();
    for (const int id : {7, 8, 8, 9}) column.add(make_id_token(std::to_string(id)));
    column.join_repeats();
    column.intern(interner);
    EXPECT_FALSE(column.is_text());
    EXPECT_EQ(column.bits(), 15U);
    EXPECT_TRUE(column.counts().empty());
    EXPECT_EQ(written_out(column), (std::vector<uint32_t>{7, 8, 8, 9}));
  }
}

TEST(IdOrder, NumbersAreOrderedByValueAndGapsClosed) {
  const auto [ids, positions] = number({"10", "9", "100", "9", "0"});
  EXPECT_EQ(ids, (std::vector<std::string>{"0", "9", "10", "100"}));
  EXPECT_EQ(positions, (std::vector<uint32_t>{2, 1, 3, 1, 0}));
}

TEST(IdOrder, TextIsOrderedByBytesAndMixesWithNumbers) {
  const auto [ids, positions] = number({"10", "9", "2", "b", "10", "é"});
  EXPECT_EQ(ids, (std::vector<std::string>{"10", "2", "9", "b", "é"}));
  EXPECT_EQ(positions, (std::vector<uint32_t>{0, 2, 1, 3, 0, 4}));
}

TEST(IdOrder, HugeNumbersAreStillOrderedByValue) {
  const auto [ids, positions] = number({"99999999999999999999", "5", "900000000", "1000000000"});
  EXPECT_EQ(ids,
            (std::vector<std::string>{"5", "900000000", "1000000000", "99999999999999999999"}));
  EXPECT_EQ(positions, (std::vector<uint32_t>{3, 0, 1, 2}));
}

TEST(IdOrder, LeadingZerosMakeText) {
  EXPECT_EQ(number({"01", "1", "2"}).first, (std::vector<std::string>{"01", "1", "2"}));
}

RC_GTEST_PROP(IdOrder, GivesBackEveryIdWhateverTheThreads, ()) {
  const auto given = *rc::gen::container<std::vector<std::string>>(rc::gen::map(
      rc::gen::inRange(0, 40),
      [](int i) { return i % 4 == 0 ? "id" + std::to_string(i) : std::to_string(i); }));
  const auto [ids, positions] = number(given, 2);
  RC_ASSERT(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
  for (size_t i = 0; i < given.size(); ++i) RC_ASSERT(ids[positions[i]] == given[i]);
  RC_ASSERT(number(given, 1) == number(given, 2));
}

TEST(SortIds, SaysWhereEachIdWent) {
  std::vector<std::string> ids = {"c", "a", "b"};
  EXPECT_EQ(sort_ids(ids), (std::vector<uint32_t>{2, 0, 1}));
  EXPECT_EQ(ids, (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace divns
