// SPDX-License-Identifier: Apache-2.0
#include "divns/options.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::error_of;

enum class Colour { kRed, kBlue };

struct Config {
  bool keep = true;
  int count = 3;
  uint64_t seed = 1;
  double rate = 0.001;
  std::string name = "plain";
  std::vector<double> ratios = {0.7, 0.3};
  std::vector<std::string> words;
  Colour colour = Colour::kRed;
  Options options;

  Config() {
    options.add("keep", keep, "keep the rest");
    options.add("count", count, "how many").range(1, 10).alias("number");
    options.add("seed", seed, "seed");
    options.add("learning_rate", rate, "step size").above(0);
    options.add("name", name, "a name");
    options.add("split.ratios", ratios, "shares").range(0, 1);
    options.add("words", words, "some words");
    options.add_choice("colour", colour, {{"red", Colour::kRed}, {"blue", Colour::kBlue}}, "paint");
  }
  Config(const Config&) = delete;
};

TEST(Options, SetParsesEveryType) {
  Config config;
  config.options.set("keep", "false", OptionSource::kSet);
  config.options.set("number", "7", OptionSource::kSet);
  config.options.set("seed", "18446744073709551615", OptionSource::kSet);
  config.options.set_assignment("learning_rate=1e-2", OptionSource::kSet);
  config.options.set_assignment("name=a=b", OptionSource::kSet);
  config.options.set("split.ratios", "0.5,0.25,0.25", OptionSource::kSet);
  config.options.set("words", "x,y", OptionSource::kSet);
  config.options.set("colour", "blue", OptionSource::kSet);
  EXPECT_FALSE(config.keep);
  EXPECT_EQ(config.count, 7);
  EXPECT_EQ(config.seed, UINT64_MAX);
  EXPECT_EQ(config.rate, 0.01);
  EXPECT_EQ(config.name, "a=b");
  EXPECT_EQ(config.ratios, (std::vector<double>{0.5, 0.25, 0.25}));
  EXPECT_EQ(config.words, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(config.colour, Colour::kBlue);
}

TEST(Options, LaterSourcesWinInAnyOrder) {
  Config config;
  config.options.set("count", "9", OptionSource::kFlag);
  config.options.set("count", "2", OptionSource::kFile);
  EXPECT_EQ(config.count, 9);
  config.options.set("seed", "5", OptionSource::kPreset);
  config.options.set("seed", "6", OptionSource::kSet);
  EXPECT_EQ(config.seed, 6U);
}

TEST(Options, PresetsYieldToWhatWasSet) {
  bool loud = false;
  int size = 1;
  double rate = 0.5;
  std::string style = "plain";
  Options options;
  options.add("style", style, "a name for several values")
      .preset("grand", "size", "9")
      .preset("grand", "loud", "true")
      .preset("plain", "size", "1")
      .preset("plain", "loud", "false");
  options.add("size", size, "how large");
  options.add("loud", loud, "how loud");
  options.add("rate", rate, "how fast");
  options.set("size", "4", OptionSource::kSet);
  options.set("style", "grand", OptionSource::kFile);
  EXPECT_EQ(size, 4);
  EXPECT_TRUE(loud);
  EXPECT_EQ(rate, 0.5);
  options.set("style", "plain", OptionSource::kPreset);  // too late to count
  EXPECT_TRUE(loud);
  options.set("style", "plain", OptionSource::kFlag);
  EXPECT_FALSE(loud);
  EXPECT_EQ(size, 4);
}

TEST(Options, BadValuesGetASentence) {
  Config config;
  const auto set = [&](const char* name, const char* text) {
    return error_of([&] { config.options.set(name, text, OptionSource::kSet); });
  };
  EXPECT_EQ(set("lerning_rate", "1"),
            "there is no option 'lerning_rate'. Did you mean 'learning_rate'?");
  EXPECT_EQ(set("count", "11"), "count is '11', but 1 to 10 is expected.");
  EXPECT_EQ(set("count", "2.5"), "count is '2.5', but a whole number is expected.");
  EXPECT_EQ(set("seed", "-1"),
            "seed is '-1', but a whole number that is not negative is expected.");
  EXPECT_EQ(set("learning_rate", "0"), "learning_rate is '0', but above 0 is expected.");
  EXPECT_EQ(set("learning_rate", "nan"),
            "learning_rate is 'nan', but a finite number is expected.");
  EXPECT_EQ(set("keep", "maybe"), "keep is 'maybe', but true or false is expected.");
  EXPECT_EQ(set("colour", "bleu"),
            "colour is 'bleu', but one of red | blue is expected. Did you mean 'blue'?");
  EXPECT_EQ(set("split.ratios", "0.5,1.5"), "split.ratios is '1.5', but 0 to 1 is expected.");
  EXPECT_EQ(error_of([&] { config.options.set_assignment("count", OptionSource::kSet); }),
            "'count' was given, but key=value is expected.");
  EXPECT_EQ(config.count, 3);
}

TEST(Options, TomlIsStrictAndNamesTheLine) {
  const testing::TempFolder folder;
  Config config;
  config.options.load_toml(folder.write("good.toml",
                                        "count = 4\nlearning_rate = 0.5\nwords = [\"p\", \"q\"]\n"
                                        "[split]\nratios = [0.9, 0.1]\n"));
  EXPECT_EQ(config.count, 4);
  EXPECT_EQ(config.rate, 0.5);
  EXPECT_EQ(config.words.size(), 2U);
  EXPECT_EQ(config.ratios, (std::vector<double>{0.9, 0.1}));

  const std::string typo = folder.write("typo.toml", "seed = 2\ncuont = 4\n");
  EXPECT_EQ(error_of([&] { config.options.load_toml(typo); }),
            typo + ":2:9: there is no option 'cuont'. Did you mean 'count'?");
  const std::string broken = folder.write("broken.toml", "seed = = 2\n");
  EXPECT_EQ(error_of([&] { config.options.load_toml(broken); }).substr(0, broken.size() + 4),
            broken + ":1:8");
  EXPECT_NE(error_of([&] { config.options.load_toml(folder.file("absent.toml")); }), "(no error)");
}

TEST(Options, ResolvedTomlReadsBackToTheSameValues) {
  const testing::TempFolder folder;
  Config first;
  first.options.set("name", "with \"quotes\" and \\", OptionSource::kSet);
  first.options.set("split.ratios", "0.25,0.75", OptionSource::kSet);
  first.options.set("keep", "no", OptionSource::kSet);
  Config second;
  second.options.load_toml(folder.write("resolved.toml", first.options.to_toml()));
  EXPECT_EQ(second.options.to_toml(), first.options.to_toml());
  EXPECT_EQ(second.name, first.name);
}

TEST(Options, MarkdownHasARowForEach) {
  const Config config;
  const std::string table = config.options.to_markdown();
  EXPECT_NE(table.find("| `count` | int | `3` | 1 to 10 | how many |"), std::string::npos);
  EXPECT_NE(table.find("| `colour` | choice | `red` | red \\| blue | paint |"), std::string::npos);
}

TEST(Toml, RefusesFoldersAndBottomlessNesting) {
  const testing::TempFolder folder;
  const auto load = [](const std::string& path) {
    Options options;
    options.load_toml(path, OptionSource::kFile);
  };
  EXPECT_ERROR(load(folder.path().string()), "a folder");
  EXPECT_ERROR(load("/dev/zero"), "a device");
  std::string key = "a";
  for (int i = 0; i < 50'000; ++i) key += ".a";
  EXPECT_ERROR(load(folder.write("key.toml", key + " = 1\n")), "key.toml:1: values and keys");
  EXPECT_ERROR(load(folder.write("list.toml", "x = 1\ny = " + std::string(50'000, '['))),
               "list.toml:2: values and keys");
}

}  // namespace
}  // namespace divns
