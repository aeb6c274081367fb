// SPDX-License-Identifier: Apache-2.0
#include "samplers/item_graph.h"

#include <gtest/gtest.h>

#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using Items = std::vector<uint32_t>;

Items row_of(const ItemNeighbours& graph, uint32_t item) {
  const auto row = graph.row(item);
  return {row.begin(), row.end()};
}

// Cosines: 0-1 2/sqrt(6), 0-2 1/sqrt(6), 1-2 1/2, 2-3 1/sqrt(2).
const OwnedInteractions& four_items() {
  static const OwnedInteractions train({{0, 1}, {0, 1, 2}, {2, 3}, {0}}, 5);
  return train;
}

TEST(ItemGraph, NearestByCosine) {
  const Executor executor(2);
  const auto one = nearest_items(four_items().view(), 1, 100, executor);
  EXPECT_EQ(row_of(one, 2), Items({3}));
  EXPECT_NEAR(one.weights_of(2)[0], .7071068, 1e-6);
  const auto two = nearest_items(four_items().view(), 2, 100, executor);
  EXPECT_EQ(row_of(two, 0), Items({1, 2}));
  EXPECT_EQ(row_of(two, 2), Items({1, 3}));
  EXPECT_EQ(row_of(two, 4), Items());
  // Without the user of three items.
  EXPECT_EQ(row_of(nearest_items(four_items().view(), 2, 2, executor), 0), Items({1}));
}

// Neighbourhoods {1, 2}, {0, 2}, {1, 3}, {2} and none.
TEST(ItemGraph, OverlapIsJaccard) {
  const Executor executor(2);
  const auto graph = nearest_items(four_items().view(), 2, 100, executor);
  const auto all = overlapping_items(graph, 10, 1, false, executor);
  EXPECT_EQ(row_of(all, 0), Items({1, 2, 3}));
  EXPECT_NEAR(all.weights_of(0)[0], 1 / 3., 1e-6);
  EXPECT_NEAR(all.weights_of(0)[2], 1 / 2., 1e-6);
  EXPECT_EQ(row_of(all, 4), Items());
  EXPECT_EQ(row_of(overlapping_items(graph, 1, 1, false, executor), 0), Items({3}));
  EXPECT_EQ(row_of(overlapping_items(graph, 10, .4, false, executor), 0), Items({1, 2}));
  EXPECT_EQ(row_of(overlapping_items(graph, 10, 1, true, executor), 0), Items({3}));
}

}  // namespace
}  // namespace divns
