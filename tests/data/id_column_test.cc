// SPDX-License-Identifier: Apache-2.0
#include "data/id_column.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/hash.h"
#include "data/id_order.h"
#include "divns/parallel.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

// Feeds ids in blocks of three and returns the final ids with the positions of the given ones.
std::pair<std::vector<std::string>, std::vector<uint32_t>> number(
    const std::vector<std::string>& given) {
  IdInterner interner;
  std::vector<std::unique_ptr<IdColumn>> columns;
  for (size_t i = 0; i < given.size(); ++i) {
    if (i % 3 == 0) columns.push_back(std::make_unique<IdColumn>());
    columns.back()->add(make_id_token(given[i]));
  }
  for (auto& column : columns) column->intern(interner);
  IdOrder order = IdOrder::of(interner);
  std::vector<std::string> ids;
  for (size_t i = 0; i < order.ids().size(); ++i) ids.emplace_back(order.ids()[i]);
  std::vector<uint32_t> positions;
  for (auto& column : columns) {
    order.renumber(*column);
    positions.insert(positions.end(), column->codes().begin(), column->codes().end());
  }
  return {ids, positions};
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

    column.clear();
    for (const int id : {7, 8, 8, 9}) column.add(make_id_token(std::to_string(id)));
    column.join_repeats();
    column.intern(interner);
    EXPECT_FALSE(column.is_text());
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

RC_GTEST_PROP(IdOrder, GivesBackEveryId, ()) {
  const auto given = *rc::gen::container<std::vector<std::string>>(rc::gen::map(
      rc::gen::inRange(0, 40),
      [](int i) { return i % 4 == 0 ? "id" + std::to_string(i) : std::to_string(i); }));
  const auto [ids, positions] = number(given);
  RC_ASSERT(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
  for (size_t i = 0; i < given.size(); ++i) RC_ASSERT(ids[positions[i]] == given[i]);
}

TEST(OrderOfIds, IsByValueWhereAllAreNumbers) {
  EXPECT_EQ(order_of_ids(std::vector<std::string_view>{"c", "a", "b"}),
            (std::vector<uint32_t>{1, 2, 0}));
  EXPECT_EQ(order_of_ids(std::vector<std::string_view>{"10", "9"}), (std::vector<uint32_t>{1, 0}));
}

TEST(IdColumn, ComesBackFromTheDisk) {
  const testing::TempFolder folder;
  ScratchSpace disk(folder.path());
  SpillFile file(disk);
  IdInterner interner;
  std::vector<IdColumn> columns(2);
  for (const char* id : {"a", "b", "a"}) columns[0].add(make_id_token(id));
  for (const int id : {5, 5, 5, 5, 5, 5, 5, 6}) columns[1].add(make_id_token(std::to_string(id)));
  columns[1].join_repeats();
  for (IdColumn& column : columns) {
    column.intern(interner);
    IdColumn loaded;
    loaded.add_number(99);  // of an earlier block
    loaded.load(column.stored(file), file);
    EXPECT_EQ(written_out(loaded), written_out(column));
    EXPECT_EQ(loaded.is_text(), column.is_text());
  }
  EXPECT_EQ(disk.peak(), (3 + 2 + 2) * sizeof(uint32_t));
}

TEST(NumberSet, RanksAcrossPages) {
  NumberSet set;
  const std::vector<uint32_t> numbers = {0, 63, 64, 65535, 65536, 1000000, 999999999};
  std::vector<uint32_t> repeated = numbers;
  repeated.insert(repeated.end(), numbers.rbegin(), numbers.rend());
  Executor(4).for_chunks(repeated.size(), 1, [&](size_t begin, size_t) {
    set.insert(std::span(repeated).subspan(begin, 1));
  });
  set.prepare_ranks();
  ASSERT_EQ(set.size(), numbers.size());
  for (uint32_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(set.rank(numbers[k]), k);
  std::vector<uint32_t> found;
  set.for_each([&](uint32_t number) { found.push_back(number); });
  EXPECT_EQ(found, numbers);
}

TEST(DistinctCount, IsWithinAFewPerMille) {
  for (const uint32_t ids : {1U, 1000U, 100000U, 2000000U}) {
    auto count = std::make_unique<DistinctCount>();
    for (int repeat = 0; repeat < 2; ++repeat)
      for (uint32_t id = 0; id < ids; ++id) count->add(hash64(std::as_bytes(std::span(&id, 1))));
    EXPECT_NEAR(count->estimate(), ids, 0.012 * ids + 0.01);  // three standard deviations
  }
}

}  // namespace
}  // namespace divns
