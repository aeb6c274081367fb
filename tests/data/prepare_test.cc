// SPDX-License-Identifier: Apache-2.0
#include "divns/prepare.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/json.h"
#include "divns/dataset.h"
#include "divns/random.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
using testing::error_of;
using testing::TempFolder;

// About `lines` pairs of 300 users and 200 items with ratings and times; ids are text if asked.
std::string some_pairs(size_t lines, bool text_ids = false) {
  Draws draws = Random(1, "lines").draws();
  std::string text;
  for (size_t i = 0; i < lines; ++i)
    text += fmt::format("{}{}\t{}\t{}\t{}\n", text_ids ? "u" : "", draws.below(300),
                        draws.below(200), 1 + draws.below(5), 1000 + draws.below(1000));
  return text;
}

PrepareReport prepare(const std::vector<std::string>& inputs, const std::string& output,
                      PrepareOptions options = {}, int threads = 1, uint64_t schedule = 0) {
  return prepare_dataset(inputs, output, options, Executor(threads, schedule));
}

TEST(Prepare, TheHashDependsOnTheDataAloneNotOnThreads) {
  const TempFolder folder;
  for (const bool text_ids : {false, true}) {
    const std::string input =
        folder.write("in.tsv", some_pairs(150000, text_ids));  // several blocks
    for (const SplitMethod split :
         {SplitMethod::kRandom, SplitMethod::kPerUser, SplitMethod::kTemporal}) {
      PrepareOptions options;
      options.split.method = split;
      options.k_core = 3;
      options.overwrite = true;
      const std::string one = prepare({input}, folder.file("out"), options, 1).hash;
      EXPECT_EQ(prepare({input}, folder.file("out"), options, 2).hash, one);
      EXPECT_EQ(prepare({input}, folder.file("out"), options, 7).hash, one);
      EXPECT_EQ(prepare({input}, folder.file("out"), options, 2, 99).hash, one);
      options.seed = 2;
      if (split != SplitMethod::kTemporal) {
        EXPECT_NE(prepare({input}, folder.file("out"), options, 1).hash, one);
      }
    }
  }
}

TEST(Prepare, TheOrderOfLinesAndFilesDoesNotMatter) {
  const TempFolder folder;
  const std::string a = folder.write("a.tsv", "1\t10\n2\t10\n2\t11\n3\t12\n1\t12\n");
  const std::string b = folder.write("b.tsv", "2\t11\n1\t12\n3\t12\n");
  const std::string c = folder.write("c.tsv", "2\t10\n1\t10\n2\t10\n");
  EXPECT_EQ(prepare({a}, folder.file("one")).hash, prepare({b, c}, folder.file("two")).hash);
}

TEST(Prepare, WhatEachStepRemovedIsRecorded) {
  const TempFolder folder;
  const std::string input = folder.write("in.csv",
                                         "user,item,rating,time\na,x,5,10\na,x,5,5\na,y,4,20\nb,x,"
                                         "4,20\nb,y,5,30\nc,x,1,20\nd,z,5,20\ne,x,5,99\n");
  PrepareOptions options;
  options.min_rating = 2;
  options.until = "50";
  options.k_core = 2;
  const PrepareReport report = prepare({input}, folder.file("out"), options);
  ASSERT_EQ(report.steps.size(), 5U);
  EXPECT_EQ(report.steps[0].pairs, 8U);
  EXPECT_EQ(report.steps[1].removed, 1U);  // rating
  EXPECT_EQ(report.steps[2].removed, 1U);  // time
  EXPECT_EQ(report.steps[3].removed, 1U);  // repeats
  EXPECT_EQ(report.steps[4].removed, 1U);  // core: d and z
  EXPECT_EQ(report.steps[4].pairs, 4U);
  EXPECT_EQ(report.steps[4].users, 2U);
  EXPECT_EQ(report.steps[4].items, 2U);
  const Dataset data = Dataset::open(folder.file("out"));
  const auto recipe = parse_json(data.recipe_json());
  EXPECT_EQ(recipe["steps"][4]["removed"], 1);
  EXPECT_EQ(recipe["options"]["k_core"], "2");
}

TEST(Prepare, IdsAndTitlesTravelWithTheData) {
  const TempFolder folder;
  const std::string input = folder.write("in.csv", "user,item\nzoë,B2\nadam,B1\nadam,B2\n");
  PrepareOptions options;
  options.item_names = folder.write("items.tsv", "B2\tsecond\t9\nB9\tnone\t9\n");
  const PrepareReport report = prepare({input}, folder.file("out"), options);
  EXPECT_EQ(report.titles, 1U);
  const Dataset data = Dataset::open(folder.file("out"));
  EXPECT_EQ(data.users(), 2U);
  EXPECT_EQ(data.user_id(0), "adam");
  EXPECT_EQ(data.find_user("zoë"), 1U);
  EXPECT_EQ(data.find_item("B9"), std::nullopt);
  EXPECT_EQ(data.item_name(1), "second");
  EXPECT_EQ(data.item_name(0), "");
  options.item_name_column = "3";
  options.overwrite = true;
  prepare({input}, folder.file("out"), options);
  EXPECT_EQ(Dataset::open(folder.file("out")).item_name(1), "9");
}

TEST(Prepare, OwnSplitsAreKeptAndLeaksFound) {
  const TempFolder folder;
  PrepareOptions options;
  const std::string train = folder.write("train.txt", "0 1 2 3\n1 2\n");
  options.valid_file = folder.write("valid.txt", "1 5\n");
  options.test_file = folder.write("test.txt", "0 3 4\n2 4\n");
  options.layout.format = "adjacency";
  const PrepareReport report = prepare({train}, folder.file("out"), options);
  EXPECT_EQ(report.train, 4U);
  EXPECT_EQ(report.valid, 1U);
  EXPECT_EQ(report.test, 3U);
  EXPECT_EQ(report.leaks, 1U);
  EXPECT_EQ(report.leak_examples, std::vector<std::string>{"(0, 3)"});
  const Dataset data = Dataset::open(folder.file("out"));
  EXPECT_EQ(data.users(), 3U);  // user 2 is cold: only in the test part
  EXPECT_TRUE(data.train().row(2).empty());
  const auto test = data.open_test();
  EXPECT_EQ(data.item_id(test.interactions().row(2)[0]), "4");
  options.k_core = 5;
  EXPECT_NE(
      error_of([&] { prepare({train}, folder.file("out2"), options); }).find("your own split"),
      std::string::npos);
}

// Access, not convention: with the test part out of reach everything but open_test works.
TEST(Dataset, TheTestPartStaysSealed) {
  const TempFolder folder;
  prepare({folder.write("in.tsv", some_pairs(2000))}, folder.file("out"));
  fs::rename(folder.file("out/test.bin"), folder.file("hidden"));
  const Dataset data = Dataset::open(folder.file("out"));
  EXPECT_GT(data.train().pairs(), 0U);
  EXPECT_GT(data.valid().pairs(), 0U);
  EXPECT_NE(error_of([&] { data.open_test(); }), "(no error)");
  fs::rename(folder.file("hidden"), folder.file("out/test.bin"));
  EXPECT_GT(data.open_test().interactions().pairs(), 0U);
}

TEST(Dataset, ChangedFilesAreNoticed) {
  const TempFolder folder;
  prepare({folder.write("in.tsv", some_pairs(2000))}, folder.file("out"));
  for (const char* name : {"train.bin", "valid.bin", "users.bin", "items.bin"}) {
    const TempFolder copy;
    fs::copy(folder.file("out"), copy.file("out"));
    std::fstream file(copy.file("out/" + std::string(name)),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(70);
    file.put('\x7f');
    file.close();
    EXPECT_NE(error_of([&] { Dataset::open(copy.file("out")); }).find("hash does not match"),
              std::string::npos)
        << name;
  }
  fs::resize_file(folder.file("out/test.bin"), 100);
  const Dataset data = Dataset::open(folder.file("out"));
  EXPECT_NE(error_of([&] { data.open_test(); }).find("hash does not match"), std::string::npos);
}

TEST(Dataset, SaysWhatIsNoDataset) {
  const TempFolder folder;
  EXPECT_NE(error_of([&] { Dataset::open(folder.path()); }).find("is not a prepared dataset"),
            std::string::npos);
  folder.write("dataset.json", "{}");
  EXPECT_NE(error_of([&] { Dataset::open(folder.path()); }).find("is damaged"), std::string::npos);
  folder.write("dataset.json", "[[[[");
  EXPECT_NE(error_of([&] { Dataset::open(folder.path()); }).find("is damaged"), std::string::npos);
  folder.write("dataset.json", R"({"format": "divns-dataset", "version": 99})");
  EXPECT_NE(error_of([&] { Dataset::open(folder.path()); }).find("has version 99"),
            std::string::npos);
}

}  // namespace
}  // namespace divns
