// SPDX-License-Identifier: Apache-2.0
// Graphs and files of `export`; tests/recommend/exports_test.py opens them with other programs.
#include "divns/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/files.h"
#include "divns/interactions.h"
#include "divns/random.h"
#include "divns/table.h"
#include "kernels/vectors.h"
#include "recommend/formats/hnsw.h"
#include "recommend/formats/index_files.h"
#include "recommend/formats/text_files.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

Table normal_rows(uint32_t rows, uint32_t dim) {
  Table table(rows, dim);
  for (uint32_t i = 0; i < rows; ++i) {
    Draws draws = Random(1, "rows").draws(i);
    for (uint32_t k = 0; k < dim; ++k) table.row(i)[k] = static_cast<float>(draws.normal());
  }
  return table;
}

std::vector<uint32_t> exact_list(const Table& rows, const float* query, uint32_t k) {
  std::vector<uint32_t> list(rows.rows());
  for (uint32_t i = 0; i < rows.rows(); ++i) list[i] = i;
  std::stable_sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) {
    return dot(query, rows.row(a), rows.stride()) > dot(query, rows.row(b), rows.stride());
  });
  list.resize(k);
  return list;
}

TEST(Hnsw, FindsNearlyAllOfTheExactList) {
  const Table rows = normal_rows(2000, 20);
  const HnswGraph graph(rows.view(), {});
  size_t found = 0;
  for (uint32_t q = 0; q < 100; ++q) {
    const auto exact = exact_list(rows, rows.row(q), 10);
    const auto list = graph.search(rows.row(q), 10, 100);
    ASSERT_EQ(list.size(), 10U);
    for (const uint32_t row : list)
      if (std::find(exact.begin(), exact.end(), row) != exact.end()) ++found;
  }
  EXPECT_GT(found, 950U);
}

TEST(Hnsw, LinksAreDistinctRowsOfTheirLevel) {
  const Table rows = normal_rows(500, 8);
  const HnswGraph graph(rows.view(), {.m = 5, .ef_construction = 30});
  EXPECT_GT(graph.top_level(), 0U);
  for (uint32_t row = 0; row < 500; ++row)
    for (uint32_t level = 0; level <= graph.level(row); ++level) {
      std::set<uint32_t> seen;
      const auto places = graph.places(row, level);
      EXPECT_EQ(places.size(), level == 0 ? 10U : 5U);
      for (const uint32_t other : places) {
        if (other == kNoItem) break;
        EXPECT_NE(other, row);
        EXPECT_GE(graph.level(other), level);
        EXPECT_TRUE(seen.insert(other).second);
      }
      EXPECT_TRUE(std::all_of(places.begin() + static_cast<ptrdiff_t>(seen.size()), places.end(),
                              [](uint32_t other) { return other == kNoItem; }));
    }
}

TEST(Hnsw, SameRowsSameBytes) {
  const testing::TempFolder folder;
  const Table rows = normal_rows(300, 8);
  for (const char* name : {"a", "b"})
    write_hnswlib(folder.path() / name, HnswGraph(rows.view(), {}));
  EXPECT_EQ(read_text_file(folder.path() / "a"), read_text_file(folder.path() / "b"));
}

TEST(Hnsw, OneRowAndEqualRows) {
  const Table one = normal_rows(1, 8);
  EXPECT_EQ(HnswGraph(one.view(), {}).search(one.row(0), 3, 10), std::vector<uint32_t>{0});
  const Table equal(50, 8);  // zeros
  EXPECT_FALSE(HnswGraph(equal.view(), {}).search(one.row(0), 3, 10).empty());
  EXPECT_ERROR(HnswGraph(one.view(), {.m = 1}), "links per row");
}

TEST(TextFiles, EscapeWhatTheFormatNeeds) {
  const testing::TempFolder folder;
  Table rows(2, 2);
  rows.row(0)[0] = 0.5F;
  rows.row(1)[1] = -2;
  const std::vector<std::string> ids = {"a\tb", "c\\d"};
  const std::vector<std::string> titles = {"", "Heat\n(1995)"};
  const auto id = [&](uint32_t i) { return std::string_view(ids[i]); };
  write_pgvector(folder.path() / "copy", rows.view(), id,
                 [&](uint32_t i) { return std::string_view(titles[i]); });
  EXPECT_EQ(read_text_file(folder.path() / "copy"),
            "a\\tb\t\\N\t[0.5,0]\nc\\\\d\tHeat\\n(1995)\t[0,-2]\n");
  EXPECT_ERROR(write_word2vec(folder.path() / "words", rows.view(), id), "--format text");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "words"));
  write_word2vec(folder.path() / "words", rows.view(),
                 [](uint32_t i) { return i == 0 ? std::string_view("x") : std::string_view("y"); });
  EXPECT_EQ(read_text_file(folder.path() / "words"), "2 2\nx 0.5 0\ny 0 -2\n");
}

}  // namespace
}  // namespace divns
