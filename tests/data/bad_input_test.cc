// SPDX-License-Identifier: Apache-2.0
// Every kind of bad input gets one sentence that names file and line, and leaves nothing behind.
#include <gtest/gtest.h>

#include "data/line_parser.h"
#include "divns/prepare.h"
#include "support/compress.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

class BadInput : public ::testing::Test {
 protected:
  std::string sentence(const std::string& input) {
    std::string text = testing::error_of(
        [&] { prepare_dataset({input}, folder_.file("out"), options_, Executor(2)); });
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      EXPECT_EQ(entry.path().filename().string().find("out"), std::string::npos)
          << "left behind: " << entry.path();
    const size_t at = text.find(folder_.path().string());
    if (at != std::string::npos) text.erase(at, folder_.path().string().size() + 1);
    return text;
  }
  std::string sentence_of(const std::string& text) {
    return sentence(folder_.write("in.txt", text));
  }

  TempFolder folder_;
  PrepareOptions options_;
};

TEST_F(BadInput, MissingOrEmptyFile) {
  EXPECT_EQ(sentence(folder_.file("absent.csv")),
            "absent.csv could not be read: No such file or directory.");
  EXPECT_EQ(sentence_of(""), "in.txt is empty; at least one pair is expected.");
  EXPECT_EQ(sentence_of("\n\n"), "in.txt: the file is empty; at least one pair is expected.");
}

TEST_F(BadInput, LinesThatCannotBeRead) {
  EXPECT_EQ(sentence_of("1\t2\t3\n1\t2\n"),
            "in.txt:2: this line has 2 of at least 3 fields; the fields are expected to be divided "
            "by tabs.");
  std::string late;
  for (int i = 0; i < 300; ++i) late += "1\t2\t3\t4\n";
  EXPECT_EQ(sentence_of(late + "1\t2\tbad\t4\n"),
            "in.txt:301: the rating is 'bad', but a finite number is expected.");
  EXPECT_EQ(sentence_of(late + "1\t2\tNaN\t4\n"),
            "in.txt:301: the rating is 'NaN', but a finite number is expected.");
  EXPECT_EQ(sentence_of(late + "1\t2\t3\tnoon\n"),
            "in.txt:301: the time is 'noon', but a number or a date like 2018-07-07 22:09:11 is "
            "expected.");
  EXPECT_EQ(sentence_of("user,item\n1,2\n,3\n"),
            "in.txt:3: the user id is empty; every pair needs one.");
  EXPECT_EQ(sentence_of("user,item\n1,2\n1,b\xff\n"), "in.txt:3: " + std::string(kNotUtf8));
}

// The first bad line is named even if a later block is parsed first.
TEST_F(BadInput, TheFirstOfSeveralBadLinesIsNamed) {
  std::string text;
  for (int i = 0; i < 400000; ++i) text += i == 150000 || i == 390000 ? "7\tx\t\n" : "7\t8\t1\n";
  for (int repeat = 0; repeat < 5; ++repeat)
    EXPECT_EQ(sentence_of(text),
              "in.txt:150001: the rating is '', but a finite number is expected.");
}

TEST_F(BadInput, WrongColumnNames) {
  options_.layout.user_column = "usr";
  EXPECT_EQ(sentence_of("user,item\n1,2\n"),
            "in.txt: there is no column 'usr' for the user. Did you mean 'user'? The columns are: "
            "user, item.");
}

TEST_F(BadInput, FiltersThatLeaveNothing) {
  options_.k_core = 9;
  EXPECT_EQ(sentence_of("1\t2\n1\t3\n"),
            "the 9-core of users and 9-core of items is empty; choose smaller numbers.");
  options_ = {};
  options_.min_rating = 9;
  EXPECT_EQ(sentence_of("1\t2\t3\n"),
            "no pair is left after the rating and time filters; loosen them.");
  EXPECT_EQ(
      sentence_of("1\t2\n"),
      "in.txt has no ratings, but min_rating needs them; name the column with --rating-column.");
  options_ = {};
  options_.since = "soon";
  EXPECT_EQ(sentence_of("1\t2\t3\t4\n"),
            "since is 'soon', but a number or a date like 2018-07-07 is expected.");
}

TEST_F(BadInput, SplitsThatCannotBe) {
  options_.split.ratios = {0.5, 0.1, 0.1};
  EXPECT_EQ(sentence_of("1\t2\n1\t3\n"),
            "the split ratios 0.5, 0.1, 0.1 sum to 0.7, but train, valid and test must sum to 1.");
  options_.split.ratios = {0.5, 0.5};
  EXPECT_EQ(sentence_of("1\t2\n1\t3\n"),
            "ratios has 2 numbers, but three are expected: train, valid, test.");
  options_ = {};
  options_.split.method = SplitMethod::kTemporal;
  EXPECT_EQ(sentence_of("1\t2\n1\t3\n"),
            "in.txt has no times, but the split or the time window needs them; name the column "
            "with --time-column.");
}

TEST_F(BadInput, TruncatedCompression) {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += std::to_string(i) + "\t" + std::to_string(i * 31 % 977) + "\n";
  const std::string gz = testing::gzip(text);
  EXPECT_EQ(sentence(folder_.write("in.tsv.gz", gz.substr(0, gz.size() - 9))),
            "in.tsv.gz is a truncated gzip file; fetch it again.");
}

TEST_F(BadInput, TitlesThatDoNotFit) {
  options_.item_names = folder_.write("titles.tsv", "x\tnobody\n");
  EXPECT_EQ(sentence_of("1\t2\n").substr(0, 44), "titles.tsv names none of the 1 items of the ");
  options_.item_names = folder_.write("titles.tsv", "2\n");
  EXPECT_EQ(sentence_of("1\t2\n"),
            "titles.tsv:1: an id and a title, divided by a tab, are expected.");
}

TEST_F(BadInput, OutputThatIsTaken) {
  const std::string input = folder_.write("in.txt", "1\t2\n1\t3\n2\t3\n");
  const TempFolder other;
  other.write("precious", "x");
  const auto prepare_into = [&](const fs::path& output, bool overwrite) {
    PrepareOptions options;
    options.overwrite = overwrite;
    return testing::error_of([&] { prepare_dataset({input}, output, options, Executor(1)); });
  };
  for (const bool overwrite : {false, true})
    EXPECT_NE(prepare_into(other.path(), overwrite)
                  .find("holds something that is not a prepared dataset"),
              std::string::npos);
  EXPECT_TRUE(fs::exists(other.file("precious")));
  EXPECT_NE(prepare_into(other.file("precious"), true).find("is a file"), std::string::npos);
  EXPECT_EQ(prepare_into(other.file("new"), false), "(no error)");
  EXPECT_NE(prepare_into(other.file("new"), false).find("--overwrite"), std::string::npos);
  EXPECT_EQ(prepare_into(other.file("new"), true), "(no error)");
}

}  // namespace
}  // namespace divns
