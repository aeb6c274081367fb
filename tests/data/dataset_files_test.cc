// SPDX-License-Identifier: Apache-2.0
#include "data/dataset_files.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/files.h"
#include "data/id_order.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::error_of;
using testing::TempFolder;

std::vector<std::byte> bytes_of(const std::string& path) {
  const MappedFile file(path);
  return {file.bytes().begin(), file.bytes().end()};
}

struct SmallPart {
  std::vector<uint64_t> offsets = {0, 2, 2, 3};
  std::vector<uint32_t> items = {1, 4, 0};
  SlabStore store() const {
    Rows rows;
    rows.offsets = offsets;
    rows.items.assign(items.begin(), items.end());
    SlabStore store;
    store.add(std::move(rows));
    return store;
  }
};

TEST(Part, RoundTrip) {
  const TempFolder folder;
  write_part(AtomicFile(folder.file("p")), SmallPart().store(), 5);
  const MappedFile file(folder.file("p"));
  const Interactions rows = view_part(file.bytes(), "p");
  EXPECT_EQ(rows.users(), 3U);
  EXPECT_EQ(rows.item_count, 5U);
  EXPECT_EQ(rows.row(0)[1], 4U);
  EXPECT_TRUE(rows.row(1).empty());
  EXPECT_EQ(rows.row(2)[0], 0U);
}

// Whatever single byte is changed, and wherever the file is cut, the answer is a sentence or a
// sound part.
TEST(Part, EveryDamageIsRefusedOrHarmless) {
  const TempFolder folder;
  write_part(AtomicFile(folder.file("p")), SmallPart().store(), 5);
  const auto good = bytes_of(folder.file("p"));
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(error_of([&] { view_part(std::span(good).first(length), "p"); }), "(no error)")
        << length;
  for (size_t at = 0; at < good.size(); ++at) {
    auto bad = good;
    bad[at] ^= std::byte{0xff};
    error_of([&] {
      const Interactions rows = view_part(bad, "p");
      for (uint32_t u = 0; u < rows.users(); ++u)
        for (const uint32_t item : rows.row(u)) ASSERT_LT(item, rows.item_count);
    });
  }
}

TEST(Part, ItemsMustAscendAndStayInRange) {
  const TempFolder folder;
  SmallPart descending;
  descending.items = {4, 1, 0};
  write_part(AtomicFile(folder.file("p")), descending.store(), 5);
  EXPECT_NE(
      error_of([&] { view_part(bytes_of(folder.file("p")), "p"); }).find("out of order or range"),
      std::string::npos);
  SmallPart outside;
  outside.items = {1, 5, 0};
  write_part(AtomicFile(folder.file("p")), outside.store(), 5);
  EXPECT_NE(
      error_of([&] { view_part(bytes_of(folder.file("p")), "p"); }).find("out of order or range"),
      std::string::npos);
}

TEST(Strings, RoundTripAndFind) {
  const TempFolder folder;
  for (const auto& given :
       {std::vector<std::string_view>{"b", "", "é", "a\nb"}, {"10", "9", "100"}, {}}) {
    IdList ids;
    for (const uint32_t place : order_of_ids(given)) ids.push_back(given[place]);
    write_strings(AtomicFile(folder.file("s")), ids);
    const auto bytes = bytes_of(folder.file("s"));
    const StringTable table(bytes, "s");
    ASSERT_EQ(table.size(), ids.size());
    for (uint32_t i = 0; i < ids.size(); ++i) {
      EXPECT_EQ(table[i], ids[i]);
      EXPECT_EQ(table.find(ids[i]), i);
    }
    EXPECT_EQ(table.find("absent"), std::nullopt);
    EXPECT_EQ(table.find("11"), std::nullopt);
  }
}

TEST(Strings, EveryDamageIsRefusedOrHarmless) {
  const TempFolder folder;
  write_strings(AtomicFile(folder.file("s")), IdList(std::vector<std::string>{"alpha", "beta"}));
  const auto good = bytes_of(folder.file("s"));
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(error_of([&] { StringTable(std::span(good).first(length), "s"); }), "(no error)")
        << length;
  for (size_t at = 0; at < good.size(); ++at) {
    auto bad = good;
    bad[at] ^= std::byte{0x81};
    error_of([&] {
      const StringTable table(bad, "s");
      size_t total = 0;
      for (uint32_t i = 0; i < table.size(); ++i) total += table[i].size();
      ASSERT_LE(total, bad.size());
      table.find("beta");
    });
  }
}

}  // namespace
}  // namespace divns
