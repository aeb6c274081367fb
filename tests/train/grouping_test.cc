// SPDX-License-Identifier: Apache-2.0
#include "train/grouping.h"

#include <gtest/gtest.h>

namespace divns {
namespace {

std::vector<uint32_t> list(std::span<const uint32_t> values) {
  return {values.begin(), values.end()};
}

TEST(Grouping, KeepsFirstOccurrenceWithinAHomeAndEntryOrder) {
  Grouping groups(100);
  // Rows 7 and 39 are of one home, 2 and 9 of others.
  const std::vector<uint32_t> keys = {39, 2, 7, 9, 2, 39, 7};
  groups.group(keys);
  EXPECT_EQ(list(groups.rows()), (std::vector<uint32_t>{2, 39, 7, 9}));
  EXPECT_EQ(list(groups.entries(0)), (std::vector<uint32_t>{1, 4}));
  EXPECT_EQ(list(groups.entries(1)), (std::vector<uint32_t>{0, 5}));
  EXPECT_EQ(list(groups.entries(2)), (std::vector<uint32_t>{2, 6}));
  EXPECT_EQ(list(groups.entries(3)), (std::vector<uint32_t>{3}));
  EXPECT_EQ(groups.slots()[9], 3U);
  EXPECT_EQ(groups.slots()[0], kNoSlot);
  EXPECT_EQ(groups.home_start(0), 0U);
  EXPECT_EQ(groups.home_start(7), 1U);
  EXPECT_EQ(groups.home_start(8), 3U);
  EXPECT_EQ(groups.home_start(Grouping::kHomes), 4U);
}

TEST(Grouping, ForgetsTheBatchBefore) {
  Grouping groups(4);
  const std::vector<uint32_t> first = {3, 3, 1};
  const std::vector<uint32_t> second = {0};
  groups.group(first);
  groups.group(second);
  EXPECT_EQ(list(groups.rows()), second);
  EXPECT_EQ(groups.slots()[3], kNoSlot);
  groups.group({});
  EXPECT_TRUE(groups.rows().empty());
  EXPECT_EQ(groups.slots()[0], kNoSlot);
}

}  // namespace
}  // namespace divns
