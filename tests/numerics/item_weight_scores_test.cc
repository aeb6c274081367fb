// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "divns/scores.h"
#include "support/interactions.h"
#include "support/tables.h"

namespace divns {
namespace {

// Rows without padding, so that a read behind the last one would be outside the memory.
std::vector<float> packed(const Table& table) {
  std::vector<float> values;
  for (uint32_t i = 0; i < table.rows(); ++i)
    values.insert(values.end(), table.row(i), table.row(i) + table.dim());
  return values;
}

TEST(ItemWeightScores, AreSumsOfRows) {
  for (const uint32_t items : {1U, 5U, 8U, 255U, 256U, 300U, 517U}) {
    const std::vector<float> weights = packed(testing::random_table(items, items, items));
    const testing::OwnedInteractions pairs = testing::random_interactions(30, items, 6, 2);
    const VectorTable table = {weights.data(), items, items, items};
    const ItemWeightScores scores(pairs.view(), table);
    ASSERT_EQ(scores.users(), 30U);
    ASSERT_EQ(scores.items(), items);
    const std::vector<uint32_t> users = {0, 7, 7, 29, 3};
    Table found(5, items);
    scores.score(users, found);
    for (size_t n = 0; n < users.size(); ++n)
      for (uint32_t j = 0; j < items; ++j) {
        float sum = 0;
        for (const uint32_t i : pairs.view().row(users[n])) sum += table.row(i)[j];
        EXPECT_EQ(found.row(n)[j], sum) << items << " items: " << users[n] << ", " << j;
      }
  }
}

}  // namespace
}  // namespace divns
