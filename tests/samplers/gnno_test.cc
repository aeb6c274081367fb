// SPDX-License-Identifier: Apache-2.0
#include "samplers/gnno.h"

#include <gtest/gtest.h>

#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::item_counts;
using testing::OptionValues;
using testing::OwnedInteractions;

// The graph of item_graph_test.cc: item 0 overlaps with 1 and 2 by 1/3 and with 3 by 1/2. User 3
// has a pair with item 0 alone.
std::vector<double> counts_of(uint32_t user, OptionValues values, uint32_t epoch = 0) {
  const OwnedInteractions train({{0, 1}, {0, 1, 2}, {2, 3}, {0}}, 5);
  for (const auto& [name, value] :
       OptionValues{{"gnno.neighbours", "2"}, {"gnno.max_overlap", "1"}})
    values.insert(values.begin(), {name, value});
  return item_counts(
      ask(make_gnno(), values, train, testing::toy_vectors(), user, 0, 20000, 1, nullptr, epoch),
      5);
}

TEST(Gnno, DrawsInProportionToTheOverlap) {
  const OptionValues hard = {{"gnno.share", "1"}, {"gnno.warmup", "1"}};
  EXPECT_LT(chi_square(counts_of(3, hard), {0, 2 / 7., 2 / 7., 3 / 7., 0}), 13.8);
  EXPECT_LT(chi_square(counts_of(0, hard), {0, 0, 2 / 5., 3 / 5., 0}), 10.8);
  const OptionValues half = {{"gnno.share", "0.5"}, {"gnno.warmup", "1"}};
  EXPECT_LT(chi_square(counts_of(3, half), {0, .125 + 1 / 7., .125 + 1 / 7., .125 + 3 / 14., .125}),
            16.3);
}

TEST(Gnno, HardnessGrows) {
  const OptionValues slow = {{"gnno.share", "1"}, {"gnno.warmup", "4"}};
  // Overlaps of at most 1/8 (none: uniform), 3/8 and 1/2.
  EXPECT_LT(chi_square(counts_of(3, slow, 0), {0, .25, .25, .25, .25}), 16.3);
  EXPECT_LT(chi_square(counts_of(3, slow, 2), {0, .5, .5, 0, 0}), 10.8);
  EXPECT_LT(chi_square(counts_of(3, slow, 3), {0, 2 / 7., 2 / 7., 3 / 7., 0}), 13.8);
}

TEST(Gnno, LeavesOutLikelyFalseNegatives) {
  EXPECT_LT(
      chi_square(
          counts_of(3, {{"gnno.share", "1"}, {"gnno.warmup", "1"}, {"gnno.max_overlap", "0.4"}}),
          {0, .5, .5, 0, 0}),
      10.8);
}

}  // namespace
}  // namespace divns
