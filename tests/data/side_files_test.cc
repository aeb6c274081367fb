// SPDX-License-Identifier: Apache-2.0
// Files that a training reads besides its pairs: groups of items, lists of items.
#include <gtest/gtest.h>

#include "data/item_groups.h"
#include "data/item_lists.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

class SideFiles : public ::testing::Test {
 protected:
  ItemGroups groups(const std::string& text) {
    return read_item_groups(folder_.write("groups.csv", text), 4, {});
  }
  ItemLists lists(const std::string& text) {
    return read_item_lists(folder_.write("lists.csv", text), 3, 4, {});
  }
  testing::TempFolder folder_;
};

TEST_F(SideFiles, Groups) {
  const ItemGroups all = groups("item,genre\n0,\"Sci-Fi, hard\"\n2,Drama\n1,Drama\n3,Drama\n");
  EXPECT_EQ(all.names, (std::vector<std::string>{"Drama", "Sci-Fi, hard"}));
  EXPECT_EQ(all.group_of, (std::vector<uint32_t>{1, 0, 0, 0}));
  const ItemGroups some = groups("0\tb\n99\tc\n1\ta\n");
  EXPECT_EQ(some.names, (std::vector<std::string>{"a", "b", "(none)"}));
  EXPECT_EQ(some.group_of, (std::vector<uint32_t>{1, 0, 2, 2}));
}

TEST_F(SideFiles, BadGroupsAreSentences) {
  EXPECT_ERROR(groups("0,a\n0,b\n"), "groups.csv:2: the item '0' is in the groups 'a' and 'b'");
  EXPECT_ERROR(groups("x,a\n"), "names no item of the data");
  EXPECT_ERROR(groups("0\n"), "this line has 1 of at least 2 fields");
  EXPECT_ERROR(groups(""), "is empty; an item and its group on each line are expected");
}

TEST_F(SideFiles, Lists) {
  const ItemLists read = lists("2::3::0.5\n0::1\n2::0\n2::3::1\n0::77\n");
  EXPECT_EQ(read.offsets, (std::vector<uint64_t>{0, 1, 1, 3}));
  EXPECT_EQ(read.items, (std::vector<uint32_t>{1, 0, 3}));
  EXPECT_EQ(read.weights, (std::vector<float>{1, 1, 1.5}));
  EXPECT_EQ(read.lines, 5U);
  EXPECT_EQ(read.unknown, 1U);
}

}  // namespace
}  // namespace divns
