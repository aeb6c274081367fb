// SPDX-License-Identifier: Apache-2.0
#include "samplers/file_lists.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::item_counts;
using testing::OptionValues;
using testing::toy_train;
using testing::toy_vectors;

class FileListsTest : public ::testing::Test {
 protected:
  std::vector<double> counts(const std::string& text, OptionValues values, uint32_t user = 0,
                             uint32_t positive = 0, const SideInputs* inputs = nullptr) {
    values.emplace_back("file.path", folder_.write("lists.csv", text));
    return item_counts(ask(make_file_lists(), values, toy_train(), toy_vectors(), user, positive,
                           20000, 1, inputs),
                       6);
  }
  testing::TempFolder folder_;
};

// Item 1 is a training item of user 0, so it is left out of the list.
TEST_F(FileListsTest, DrawsByWeight) {
  const std::string text = "user,item,weight\n0,3,1\n0,4,2\n0,1,9\n0,4,1\n";
  EXPECT_LT(chi_square(counts(text, {}), {0, 0, 0, .25, .75, 0}), 10.8);
  EXPECT_LT(chi_square(counts(text, {{"file.share", "0.5"}}), {0, 0, .125, .25, .5, .125}), 16.3);
  // User 1 has no list: uniform draws.
  EXPECT_LT(chi_square(counts(text, {}, 1, 2), {.2, .2, 0, .2, .2, .2}), 18.5);
  // The best of many draws of items 3 and 4.
  EXPECT_EQ(counts(text, {{"file.candidates", "60"}})[4], 20000);
}

TEST_F(FileListsTest, NeverDrawsMarkedItems) {
  const OptionValues never = {{"file.mode", "never"}};
  EXPECT_LT(chi_square(counts("0 3\n0 4\n", never), {0, 0, .5, 0, 0, .5}), 10.8);
  EXPECT_EQ(counts("0 3\n0 4\n", {{"file.mode", "never"}, {"file.candidates", "60"}})[2], 20000);
}

TEST_F(FileListsTest, ReadsOriginalIds) {
  SideInputs inputs;
  inputs.find_user = [](std::string_view id) -> std::optional<uint32_t> {
    if (id == "ann") return 0;
    return std::nullopt;
  };
  inputs.find_item = [](std::string_view id) -> std::optional<uint32_t> {
    if (id == "pear, green") return 5;
    return std::nullopt;
  };
  const auto found = counts("ann,\"pear, green\"\nbob,plum\n", {}, 0, 0, &inputs);
  EXPECT_EQ(found[5], 20000);
}

TEST_F(FileListsTest, Refusals) {
  EXPECT_ERROR(ask(make_file_lists(), {}, toy_train(), toy_vectors(), 0, 0),
               "the sampler 'file' needs a file of lines user,item[,weight]");
  EXPECT_ERROR(counts("7,3\n0,9\n", {}), "names no user and item of the data");
  EXPECT_ERROR(counts("0,3,0\n", {}), "lists.csv:1: the weight is 0");
  EXPECT_ERROR(counts("0,3,much\n", {}), "lists.csv:1: the weight 'much' is not a number");
  EXPECT_ERROR(counts("0\n", {}), "this line has 1 of at least 2 fields");
  EXPECT_ERROR(counts("0,2\n0,3\n0,4\n0,5\n", {{"file.mode", "never"}}),
               "marks every item that user number 0");
}

}  // namespace
}  // namespace divns
