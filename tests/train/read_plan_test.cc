// SPDX-License-Identifier: Apache-2.0
#include "train/read_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "divns/random.h"

namespace divns {
namespace {

std::vector<uint32_t> listed(std::span<const uint32_t> values) {
  return {values.begin(), values.end()};
}

TEST(ReadPlan, NamesTheNextBatchOrTheEnd) {
  const Executor executor(2);
  const std::vector<uint32_t> users = {0, 1, 1, 0, 2};
  const std::vector<uint32_t> positives = {5, 6, 5, 7, 7};
  const std::vector<uint32_t> negatives = {6, 3, 3, 5, 4};
  const Batch epoch{.users = users, .positives = positives};
  ReadPlan plan(4, 8, executor);
  plan.make(epoch, 2, negatives);  // batches of rows 0 and 1, 2 and 3, 4
  EXPECT_EQ(listed(plan.first_user_reads()), (std::vector<uint32_t>{0, 0, 2, 3}));
  EXPECT_EQ(listed(plan.first_item_reads()), (std::vector<uint32_t>{3, 3, 3, 0, 2, 0, 0, 1}));
  const Batch first{.users = epoch.users.first(2), .positives = epoch.positives.first(2)};
  EXPECT_EQ(listed(plan.item_keys(first)), (std::vector<uint32_t>{5, 6, 6, 3}));
  Grouping groups(8);
  std::vector<uint32_t> next;
  groups.group(first.users);
  plan.next_user_reads(first, groups, next);
  EXPECT_EQ(next, (std::vector<uint32_t>{1, 1}));
  groups.group(plan.item_keys(first));
  plan.next_item_reads(first, groups, next);
  EXPECT_EQ(next, (std::vector<uint32_t>{1, 1, 3}));  // of items 3, 5, 6
}

TEST(ReadPlan, AgreesWithALookThroughAllLaterBatches) {
  constexpr uint32_t kUsers = 50;
  constexpr uint32_t kItems = 70;
  constexpr size_t kRows = 333;
  constexpr size_t kBatch = 20;
  constexpr size_t kEach = 3;
  const Executor executor(7);
  Draws draws = Random(1, "plan").draws();
  std::vector<uint32_t> users(kRows);
  std::vector<uint32_t> positives(kRows);
  std::vector<uint32_t> negatives(kRows * kEach);
  for (uint32_t& user : users) user = draws.below(kUsers);
  for (uint32_t& item : positives) item = draws.below(kItems);
  for (uint32_t& item : negatives) item = draws.below(kItems);
  ReadPlan plan(kUsers, kItems, executor);
  plan.make({.users = users, .positives = positives}, kBatch, negatives);
  const size_t batches = (kRows + kBatch - 1) / kBatch;
  const auto batch = [&](size_t index) {
    const size_t begin = index * kBatch;
    const size_t size = std::min(kBatch, kRows - begin);
    return Batch{.first_place = static_cast<uint32_t>(begin),
                 .users = std::span(users).subspan(begin, size),
                 .positives = std::span(positives).subspan(begin, size)};
  };
  const auto next_after = [&](size_t index, uint32_t row, bool is_user) {
    for (++index; index < batches; ++index) {
      const auto keys = is_user ? batch(index).users : plan.item_keys(batch(index));
      if (std::ranges::find(keys, row) != keys.end()) break;
    }
    return index;
  };
  Grouping groups(kItems);
  std::vector<uint32_t> next;
  for (size_t index = 0; index < batches; ++index) {
    groups.group(batch(index).users);
    plan.next_user_reads(batch(index), groups, next);
    for (size_t slot = 0; slot < next.size(); ++slot)
      EXPECT_EQ(next[slot], next_after(index, groups.rows()[slot], true));
    groups.group(plan.item_keys(batch(index)));
    plan.next_item_reads(batch(index), groups, next);
    for (size_t slot = 0; slot < next.size(); ++slot)
      EXPECT_EQ(next[slot], next_after(index, groups.rows()[slot], false));
  }
}

}  // namespace
}  // namespace divns
