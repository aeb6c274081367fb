// SPDX-License-Identifier: Apache-2.0
#include "blocks/schedule.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "blocks/cell.h"
#include "blocks/item_parts.h"
#include "support/errors.h"
#include "support/interactions.h"

namespace divns {
namespace {

const BlockShape kShapes[] = {{1, 1}, {2, 2}, {4, 4}, {4, 1}, {1, 4}, {2, 8}, {8, 3}, {5, 7}};

TEST(BlockSchedule, EveryCellOnceAndNoSharedRowsInARound) {
  for (const BlockShape& shape : kShapes) {
    const BlockSchedule schedule(shape, 1);
    std::set<std::pair<uint32_t, uint32_t>> cells;
    for (uint32_t round = 0; round < schedule.rounds(); ++round) {
      std::set<uint32_t> parts;
      for (uint32_t block = 0; block < shape.users; ++block) {
        const uint32_t part = schedule.part_met(block, round);
        EXPECT_TRUE(parts.insert(part).second);
        if (schedule.exists(part)) {
          EXPECT_TRUE(cells.insert({block, part}).second);
        }
      }
    }
    EXPECT_EQ(cells.size(), size_t{shape.users} * shape.items);
  }
}

TEST(BlockSchedule, OneProcessVisitsEverythingAfterWhatItNeeds) {
  for (const BlockShape& shape : kShapes) {
    const BlockSchedule schedule(shape, 1);
    std::set<std::pair<uint32_t, uint32_t>> done;
    uint32_t stays = 0;
    uint32_t last = UINT32_MAX;
    for (const auto& [position, round] : schedule.visits_of_one_process()) {
      if (round > 0) {
        EXPECT_TRUE(done.contains({position, round - 1}));
        EXPECT_TRUE(done.contains({(position + 1) % schedule.rounds(), round - 1}));
      }
      EXPECT_TRUE(done.insert({position, round}).second);
      stays += position != last ? 1U : 0U;
      last = position;
    }
    EXPECT_EQ(done.size(), size_t{schedule.rounds()} * schedule.rounds());
    EXPECT_LE(stays, 2 * schedule.rounds());
    for (uint32_t block = 0; block < shape.users; ++block)
      EXPECT_EQ(schedule.user_block_at(schedule.position_of_user_block(block)), block);
  }
}

TEST(BlockSchedule, RanksShareThePositionsAndEachHasUsers) {
  for (const BlockShape& shape : kShapes)
    for (int ranks = 1; ranks <= static_cast<int>(shape.users); ++ranks) {
      const BlockSchedule schedule(shape, ranks);
      EXPECT_EQ(schedule.first_position(0), 0U);
      EXPECT_EQ(schedule.first_position(ranks), schedule.rounds());
      for (int rank = 0; rank < ranks; ++rank) {
        EXPECT_LT(schedule.first_user_block(rank), schedule.first_user_block(rank + 1));
        EXPECT_EQ(schedule.rank_of_user_block(schedule.first_user_block(rank)), rank);
        // What leaves one rank arrives at the one before it.
        const int next = (rank + 1) % ranks;
        EXPECT_EQ(schedule.part_at(schedule.first_position(rank + 1) - 1, 1),
                  schedule.part_at(schedule.first_position(next), 0));
      }
    }
}

TEST(BlockShape, ReadsTwoNumbersAndRefusesTheRest) {
  EXPECT_EQ(parse_block_shape("4x8").users, 4U);
  EXPECT_EQ(parse_block_shape("4x8").items, 8U);
  for (const char* text :
       {"", "4", "x", "4x", "x4", "0x1", "1x0", "4x4x4", "4 x 4", "-1x1", "5000x1"})
    EXPECT_THROW(parse_block_shape(text), Error) << text;
}

TEST(ItemParts, PlacesAndListsAgreeAndEpochsDiffer) {
  const ItemParts parts(101, 4, 7, 0);
  const ItemParts next(101, 4, 7, 1);
  uint32_t moved = 0;
  for (uint32_t item = 0; item < 101; ++item) {
    const ItemParts::Place place = parts.place(item);
    EXPECT_EQ(parts.items_of(place.part)[place.row], item);
    moved += next.place(item).part != place.part ? 1U : 0U;
  }
  EXPECT_GT(moved, 50U);  // 76 expected
  for (uint32_t part = 0; part < 4; ++part) {
    EXPECT_EQ(parts.rows(part), next.rows(part));
    EXPECT_TRUE(std::ranges::is_sorted(parts.items_of(part)));
  }
}

TEST(TrainingCell, CellsPartitionThePairs) {
  const testing::OwnedInteractions owned = testing::random_interactions(60, 40, 6, 3);
  const Interactions train = owned.view();
  const Executor executor(2);
  const ItemParts parts(40, 3, 1, 0);
  std::set<std::pair<uint32_t, uint32_t>> seen;
  for (const UserRange& users : cut_users(train, 4)) {
    const std::vector<uint64_t> usable = usable_pairs(train, users, parts, executor);
    for (uint32_t part = 0; part < 3; ++part) {
      const TrainingCell cell(train, users, parts, part, executor);
      uint64_t pairs = 0;
      for (uint32_t row = 0; row < users.size(); ++row) {
        EXPECT_TRUE(std::ranges::is_sorted(cell.view().row(row)));
        const bool full = cell.view().row(row).size() == parts.rows(part);
        pairs += full ? 0 : cell.view().row(row).size();
        for (const uint32_t item : cell.view().row(row))
          EXPECT_TRUE(seen.insert({users.first + row, parts.items_of(part)[item]}).second);
      }
      EXPECT_EQ(usable[part], pairs);
    }
  }
  EXPECT_EQ(seen.size(), train.pairs());
}

}  // namespace
}  // namespace divns
