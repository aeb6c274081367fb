// SPDX-License-Identifier: Apache-2.0
#include "samplers/candidates.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;

TEST(Candidates, RanksNameTheMissingItemsInOrder) {
  const OwnedInteractions data({{}, {0}, {7}, {0, 1, 2}, {1, 3, 5, 7}, {0, 1, 2, 3, 4, 5, 6}}, 8);
  const CandidateDrawer drawer(data.view());
  for (uint32_t user = 0; user < 6; ++user) {
    const auto owned = data.view().row(user);
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < 8; ++i)
      if (!std::binary_search(owned.begin(), owned.end(), i)) expected.push_back(i);
    ASSERT_EQ(drawer.available(user), expected.size());
    for (uint32_t r = 0; r < expected.size(); ++r)
      EXPECT_EQ(drawer.missing_item(user, r), expected[r]) << user << " " << r;
  }
}

TEST(Candidates, WithReplacementIsUniformOverTheMissing) {
  const OwnedInteractions data({{1, 4, 5, 9}}, 12);
  const CandidateDrawer drawer(data.view());
  std::vector<uint32_t> out(80000);
  Draws draws = Random(4, "candidates").draws();
  drawer.draw_with_replacement(draws, 0, out);
  std::vector<double> counts(12);
  for (const uint32_t item : out) ++counts[item];
  double chi2 = 0;
  for (uint32_t i = 0; i < 12; ++i) {
    if (i == 1 || i == 4 || i == 5 || i == 9) {
      EXPECT_EQ(counts[i], 0);
      continue;
    }
    chi2 += (counts[i] - 10000) * (counts[i] - 10000) / 10000;
  }
  EXPECT_LT(chi2, 24.3);  // 7 degrees of freedom, p = 0.001
}

TEST(Candidates, WithoutReplacementGivesDistinctItemsOrAllThereAre) {
  const OwnedInteractions data({{0, 2, 3}}, 9);
  const CandidateDrawer drawer(data.view());
  for (uint32_t round = 0; round < 50; ++round) {
    std::vector<uint32_t> out(4);
    Draws draws = Random(4, "candidates").draws(round);
    EXPECT_EQ(drawer.draw_without_replacement(draws, 0, out), 4U);
    EXPECT_EQ(std::set<uint32_t>(out.begin(), out.end()).size(), 4U);
  }
  std::vector<uint32_t> out(20);
  Draws draws = Random(4, "candidates").draws();
  ASSERT_EQ(drawer.draw_without_replacement(draws, 0, out), 6U);
  EXPECT_EQ(std::set<uint32_t>(out.begin(), out.begin() + 6),
            (std::set<uint32_t>{1, 4, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace divns
