// SPDX-License-Identifier: Apache-2.0
// CSV as people have it: quotes, separators and line breaks in any column, encodings, titles.
#include <gtest/gtest.h>

#include <string>

#include "base/files.h"
#include "data/item_titles.h"
#include "data/records.h"
#include "divns/dataset.h"
#include "divns/prepare.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

class Csv : public ::testing::Test {
 protected:
  Dataset prepare(const std::string& text, PrepareOptions options = {}) {
    folder_.write("in.csv", text);
    options.overwrite = true;
    options.split.ratios = {1, 0, 0};
    prepare_dataset({folder_.file("in.csv")}, folder_.file("out"), options, Executor(2));
    return Dataset::open(folder_.file("out"));
  }
  static bool has(const Dataset& data, const char* user, const char* item) {
    const auto u = data.find_user(user);
    const auto i = data.find_item(item);
    if (!u || !i) return false;
    const auto row = data.train().row(*u);
    return std::find(row.begin(), row.end(), *i) != row.end();
  }

  testing::TempFolder folder_;
};

TEST_F(Csv, AQuotedCommaInTheHeaderShiftsNoColumn) {
  const Dataset data = prepare("\"name, full\",user,item\nx,u1,i1\n\"y, z\",u2,i2\n");
  EXPECT_EQ(data.users(), 2U);
  EXPECT_TRUE(has(data, "u1", "i1") && has(data, "u2", "i2"));
}

TEST_F(Csv, ALineBreakInATrailingColumnAddsNoPair) {
  const Dataset data =
      prepare("user,item,review\nu1,i1,\"good\nEVILUSER,EVILITEM,5\"\nu2,i2,\"say \"\"x\"\"\"\n");
  EXPECT_EQ(data.users(), 2U);
  EXPECT_FALSE(data.find_user("EVILUSER"));
  EXPECT_TRUE(has(data, "u2", "i2"));
}

TEST_F(Csv, LineBreaksInTheHeaderAndInIds) {
  const Dataset data = prepare("\"the\nuser\",item,user\nx,i1,\"u\n1\"\ny,i2,u2\n");
  EXPECT_EQ(data.users(), 2U);
  EXPECT_TRUE(has(data, "u\n1", "i1"));
}

TEST_F(Csv, RecordsAreNeverCutBetweenBlocks) {
  std::string text = "user,item,review\n";
  for (int i = 0; i < 40'000; ++i)
    text +=
        "u" + std::to_string(i) + ",i" + std::to_string(i % 7) + ",\"one, \"\"two\"\"\nx,y,3\"\n";
  ASSERT_GT(text.size(), size_t{1} << 20);
  const Dataset data = prepare(text);
  EXPECT_EQ(data.users(), 40'000U);
  EXPECT_EQ(data.items(), 7U);
}

TEST_F(Csv, AnUnclosedQuoteNamesTheLineThatOpensIt) {
  EXPECT_ERROR(prepare("user,item,note\nu1,i1,a\nu2,i2,\"b\nu3,i3,c\n"),
               "in.csv:3: a quote is opened");
}

TEST_F(Csv, ElsewhereAQuoteIsACharacterAndALineALine) {
  const Dataset data = prepare("user\titem\tnote\nu1\ti1\t\"half\nu2\ti2\t\"other\n");
  EXPECT_EQ(data.users(), 2U);
}

TEST_F(Csv, AHeaderAloneIsNamed) {
  EXPECT_ERROR(prepare("user,item\n"), "holds a header and nothing else");
}

TEST_F(Csv, EncodingsAreReadOnRequest) {
  const std::string latin = "user,item\nJos\xe9,caf\xe9\n\x80,x\n";
  EXPECT_ERROR(prepare(latin), "--encoding latin-1");
  PrepareOptions options;
  options.encoding = Encoding::kLatin1;
  const Dataset data = prepare(latin, options);
  EXPECT_TRUE(has(data, "José", "café") && has(data, "€", "x"));
  std::string wide = "\xff\xfe";
  for (const char c : std::string("user,item\na,b\n")) wide += {c, '\0'};
  EXPECT_ERROR(prepare(wide), "is UTF-16; read it with --encoding utf-16");
  EXPECT_ERROR(prepare(wide.substr(2)), "is UTF-16");
  options.encoding = Encoding::kUtf16;
  EXPECT_TRUE(has(prepare(wide, options), "a", "b"));
  EXPECT_TRUE(has(prepare(wide.substr(2), options), "a", "b"));
}

TEST_F(Csv, TitlesKeepTheirCommas) {
  const IdList ids(std::vector<std::string>{"1", "11", "12"});
  folder_.write("movies.csv",
                "movieId,title,genres\n1,Toy Story (1995),A\n"
                "11,\"American President, The (1995)\",C\n12,\"Say \"\"Hi\"\"\",D\n");
  const ItemTitles csv = read_item_titles(folder_.file("movies.csv"), "title", ids);
  EXPECT_EQ(csv.titles[1], "American President, The (1995)");
  EXPECT_EQ(csv.titles[2], "Say \"Hi\"");
  folder_.write("movies.dat", "11::\"Great Performances\" Cats (1998)::Musical\n12::\"Odd::x\n");
  const ItemTitles dat = read_item_titles(folder_.file("movies.dat"), "", ids);
  EXPECT_EQ(dat.titles[1], "\"Great Performances\" Cats (1998)");
  EXPECT_EQ(dat.titles[2], "\"Odd");
}

TEST_F(Csv, TitlesDoNotChangeTheHashOfTheDataset) {
  const std::string bare = prepare("user,item\nu1,1\nu2,2\n").hash();
  PrepareOptions options;
  options.item_names = folder_.write("titles.tsv", "1\tOne\n2\tTwo\n");
  const Dataset titled = prepare("user,item\nu1,1\nu2,2\n", options);
  EXPECT_EQ(titled.item_name(0), "One");
  EXPECT_EQ(titled.hash(), bare);
}

TEST_F(Csv, OverwriteLeavesForeignFilesAlone) {
  prepare("user,item\nu1,1\n");
  folder_.write("out/thesis.doc", "years of work");
  EXPECT_ERROR(prepare("user,item\nu1,1\n"), "thesis.doc");
  EXPECT_EQ(read_text_file(folder_.file("out/thesis.doc")), "years of work");
  EXPECT_EQ(Dataset::open(folder_.file("out")).users(), 1U);
}

TEST_F(Csv, AFileNamedDatasetJsonMakesNoDataset) {
  std::filesystem::create_directory(folder_.file("out"));
  folder_.write("out/dataset.json", "{}");
  EXPECT_ERROR(prepare("user,item\nu1,1\n"), "not a prepared dataset");
  EXPECT_EQ(read_text_file(folder_.file("out/dataset.json")), "{}");
}

TEST_F(Csv, OptionsThatCannotBeHonouredAreRefused) {
  folder_.write("in.csv", "user,item\nu1,1\nu1,2\nu1,3\nu1,4\nu2,1\n");
  PrepareOptions options;
  options.test_file = folder_.write("test.csv", "user,item\nu2,2\n");
  const auto run = [&] {
    return prepare_dataset({folder_.file("in.csv")}, folder_.file("own"), options, Executor(1));
  };
  options.split.ratios = {0.5, 0.2, 0.3};
  EXPECT_ERROR(run(), "ratios cannot be combined");
  options.split = {};
  options.valid_share = 0.4;
  const PrepareReport report = run();
  EXPECT_EQ(report.train, 3U);
  EXPECT_EQ(report.valid, 2U);
  EXPECT_EQ(report.test, 1U);
}

TEST(Records, WholeRecordsEndBeforeAnOpenQuote) {
  EXPECT_EQ(whole_records("a,b\nc,\"d\n", ","), 4U);
  EXPECT_EQ(whole_records("a,b\nc,\"d\"\n", ","), 10U);
  EXPECT_EQ(whole_records("\"a\nb\",c\n", ","), 8U);
  EXPECT_EQ(whole_records("a,5\" nail\nb,c\n", ","), 14U);
  EXPECT_EQ(whole_records("\"a\n", ","), 0U);
  EXPECT_EQ(whole_records("a\t\"b\n", "\t"), 5U);
}

}  // namespace
}  // namespace divns
