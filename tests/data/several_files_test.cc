// SPDX-License-Identifier: Apache-2.0
// Several input files are read at the same time; nobody can see that but by the clock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "divns/dataset.h"
#include "divns/random.h"
#include "support/compress.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::error_of;
using testing::TempFolder;

std::string lines(uint64_t seed, int count) {
  Draws draws = Random(seed, "lines").draws();
  std::string text;
  for (int line = 0; line < count; ++line)
    text += fmt::format("{}\t{}\n", draws.below(4000), draws.below(3000));
  return text;
}

std::string hash_of(const std::vector<std::string>& inputs, int threads, uint64_t schedule = 0) {
  const TempFolder folder;
  return prepare_dataset(inputs, folder.file("out"), {}, Executor(threads, schedule)).hash;
}

// One file of all lines, and the same lines in files of very different length and compression.
TEST(SeveralFiles, AreAsOneForAnyNumberOfThreads) {
  const TempFolder folder;
  const std::vector<std::string> texts = {lines(1, 200000), lines(2, 3), lines(3, 150000),
                                          lines(4, 1000), lines(5, 100000)};
  std::string all;
  std::vector<std::string> inputs;
  for (size_t k = 0; k < texts.size(); ++k) {
    all += texts[k];
    inputs.push_back(
        folder.write(fmt::format("{}.tsv", k), k % 2 == 0 ? texts[k] : testing::gzip(texts[k])));
  }
  const std::string expected = hash_of({folder.write("all.tsv", all)}, 1);
  for (const int threads : {1, 2, 3, 7}) EXPECT_EQ(hash_of(inputs, threads), expected);
  EXPECT_EQ(hash_of(inputs, 3, 99), expected);
}

// Of several errors, the first one in the order of files and lines, whichever is met first.
TEST(SeveralFiles, TheFirstErrorIsReported) {
  const TempFolder folder;
  const std::string good = folder.write("good.tsv", lines(1, 100000));
  const std::string late = folder.write("late.tsv", lines(2, 150000) + "1\n" + lines(3, 9));
  const std::string early = folder.write("early.tsv", "1\t2\n3\n");
  const std::string empty = folder.write("empty.tsv", "");
  const auto error = [&](const std::vector<std::string>& inputs, int threads) {
    return error_of([&] { hash_of(inputs, threads); });
  };
  for (const int threads : {1, 2, 5}) {
    EXPECT_NE(error({good, late, early, empty}, threads).find("late.tsv:150001: "),
              std::string::npos);
    EXPECT_NE(error({good, early, late}, threads).find("early.tsv:2: "), std::string::npos);
    EXPECT_NE(error({empty, late}, threads).find("empty.tsv is empty"), std::string::npos);
    EXPECT_NE(error({good, folder.file("absent"), early}, threads).find("absent could not be read"),
              std::string::npos);
  }
}

// Times are kept for leave-one-out only where every file has them.
TEST(SeveralFiles, OneFileWithoutTimesDecidesForAll) {
  const TempFolder folder;
  const std::string timed = folder.write("a.csv", "user,item,time\n1,5,3\n1,6,2\n1,7,1\n1,8,4\n");
  const std::string timeless = folder.write("b.csv", "user,item\n2,5\n2,6\n2,7\n");
  PrepareOptions options;
  options.split.method = SplitMethod::kLeaveOneOut;
  const auto test_of_user_1 = [&](const std::vector<std::string>& inputs, uint64_t seed) {
    options.seed = seed;
    const Dataset data = Dataset::prepare(inputs, options);
    const auto test = data.open_test();
    return std::string(data.item_id(test.interactions().row(*data.find_user("1"))[0]));
  };
  std::string with_times;
  std::string without;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    with_times += test_of_user_1({timed}, seed);
    without += test_of_user_1({timed, timeless}, seed);
    EXPECT_EQ(test_of_user_1({timeless, timed}, seed), without.substr(without.size() - 1));
  }
  EXPECT_EQ(with_times, std::string(20, '8'));
  EXPECT_NE(without, with_times);
}

}  // namespace
}  // namespace divns
