// SPDX-License-Identifier: Apache-2.0
// Counts of public datasets, where DIVNS_DATA_DIR names a folder that holds them.
#include <gtest/gtest.h>

#include <cstdlib>

#include "divns/dataset.h"
#include "divns/prepare.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

struct Expected {
  std::string name;
  std::string input;
  std::string test;
  uint32_t users;
  uint32_t items;
  uint64_t pairs;  // of train where there is a test file, of all otherwise
  uint64_t test_pairs;
};

class RealData : public ::testing::TestWithParam<Expected> {};

TEST_P(RealData, HasTheKnownCounts) {
  const char* root = std::getenv("DIVNS_DATA_DIR");  // NOLINT(concurrency-mt-unsafe)
  if (root == nullptr) GTEST_SKIP() << "DIVNS_DATA_DIR is not set";
  const Expected& expected = GetParam();
  const testing::TempFolder folder;
  PrepareOptions options;
  if (!expected.test.empty()) options.test_file = std::string(root) + "/" + expected.test;
  const PrepareReport report = prepare_dataset({std::string(root) + "/" + expected.input},
                                               folder.file("out"), options, Executor(2));
  const Dataset data = Dataset::open(folder.file("out"));
  EXPECT_EQ(data.users(), expected.users);
  EXPECT_EQ(data.items(), expected.items);
  if (expected.test.empty()) {
    EXPECT_EQ(report.train + report.valid + report.test, expected.pairs);
  } else {
    EXPECT_EQ(report.train, expected.pairs);
    EXPECT_EQ(report.test, expected.test_pairs);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Public, RealData,
    ::testing::Values(
        Expected{"beauty", "amazon-beauty/interactions.tsv.gz", "", 22363, 12101, 198502, 0},
        Expected{"beauty_text", "amazon-beauty/Beauty.txt", "", 22363, 12101, 198502, 0},
        Expected{"ml1m", "ml-1m/interactions.tsv.gz", "", 6040, 3706, 1000209, 0},
        Expected{"ml100k", "ml-100k/u.data", "", 943, 1682, 100000, 0},
        Expected{"pinterest", "pinterest-part/interactions.tsv.gz", "", 37501, 9836, 1000154, 0},
        Expected{"gowalla", "gowalla/train.txt", "gowalla/test.txt", 29858, 40981, 810128, 217242},
        Expected{"dens_baby", "dens-baby/train.txt", "dens-baby/test.txt", 4314, 5854, 31567,
                 11090},
        Expected{"dens_beauty", "dens-beauty/train.txt", "dens-beauty/test.txt", 7670, 10887, 63601,
                 18696},
        Expected{"ahns_tool", "ahns-tool/train.txt", "ahns-tool/test.txt", 16638, 10217, 107772,
                 26704}),
    [](const auto& example) { return example.param.name; });

}  // namespace
}  // namespace divns
