// SPDX-License-Identifier: Apache-2.0
#include "models/both_sides.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace divns {
namespace {

// On one thread chunks are visited in their order.
std::string visited(size_t level, size_t user_chunks, size_t item_chunks) {
  const Executor executor(1);
  std::string order;
  run_both_sides(
      executor, level, user_chunks, item_chunks,
      [&](size_t chunk) { order += "u" + std::to_string(chunk) + " "; },
      [&](size_t chunk) { order += "i" + std::to_string(chunk) + " "; });
  return order;
}

TEST(BothSides, TheFirstChainComesFirstAtEveryLevel) {
  EXPECT_EQ(visited(0, 2, 3), "i0 i1 i2 u0 u1 ");
  EXPECT_EQ(visited(1, 2, 3), "u0 u1 i0 i1 i2 ");
  EXPECT_EQ(visited(2, 0, 1), "i0 ");
  EXPECT_EQ(visited(3, 1, 0), "u0 ");
  EXPECT_EQ(visited(3, 0, 0), "");
}

TEST(BothSides, EveryChunkIsVisitedOnceByAnyNumberOfThreads) {
  for (const int threads : {2, 7}) {
    const Executor executor(threads);
    std::vector<int> users(40, 0);
    std::vector<int> items(23, 0);
    run_both_sides(
        executor, 1, users.size(), items.size(), [&](size_t chunk) { ++users[chunk]; },
        [&](size_t chunk) { ++items[chunk]; });
    EXPECT_EQ(users, std::vector<int>(40, 1));
    EXPECT_EQ(items, std::vector<int>(23, 1));
  }
}

}  // namespace
}  // namespace divns
