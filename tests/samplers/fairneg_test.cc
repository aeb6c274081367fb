// SPDX-License-Identifier: Apache-2.0
#include "samplers/fairneg.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::item_counts;
using testing::OptionValues;
using testing::toy_train;
using testing::toy_vectors;

TEST(FairNeg, ProbabilitiesMoveAgainstTheLoss) {
  GroupProbabilities state{{.5, .3, .2}, {0, 0, 0}};
  const std::vector<double> losses = {.5, .7, .9};
  state.update(losses, .5, .5);
  EXPECT_NEAR(state.probability[0], .55, 1e-12);
  EXPECT_NEAR(state.probability[1], .30, 1e-12);
  EXPECT_NEAR(state.probability[2], .15, 1e-12);
  state.update(losses, .5, .5);
  EXPECT_NEAR(state.probability[0], .625, 1e-12);
  EXPECT_NEAR(state.probability[2], .075, 1e-12);
  // A group without pairs (-1) has no part in the mean.
  GroupProbabilities other{{.25, .25, .5}, {0, 0, 0}};
  other.update(std::vector<double>{.4, .6, -1}, 1, 0);
  EXPECT_NEAR(other.probability[0], .35, 1e-12);
  EXPECT_NEAR(other.probability[1], .15, 1e-12);
  EXPECT_NEAR(other.probability[2], .5, 1e-12);
}

// Items 2 and 3 against the others.
std::vector<double> counts_of(const OptionValues& values, size_t rows) {
  SideInputs inputs;
  inputs.item_groups = {{"a", "b"}, {1, 1, 0, 0, 1, 1}};
  return item_counts(
      ask(make_fairneg(), values, toy_train(), toy_vectors(), 0, 0, rows, 1, &inputs), 6);
}

TEST(FairNeg, StartsInProportionToTheSizesOfTheGroups) {
  EXPECT_LT(chi_square(counts_of({{"fairneg.rate", "0"}, {"fairneg.hard", "0"}}, 20000),
                       {0, 0, 1 / 6., 1 / 6., 1 / 3., 1 / 3.}),
            16.3);
}

// Group a has the positives with the scores 1 and .46 and the mean loss .4013145, group b those
// with .95, .8 and .68 and .369308. The mean of the two is .3853113, so with rate 5 and no momentum
// the probability of group a falls by .080016 from 1/3.
TEST(FairNeg, GroupsWithAHighLossAreRarer) {
  EXPECT_LT(chi_square(
                counts_of({{"fairneg.rate", "5"}, {"fairneg.momentum", "0"}, {"fairneg.hard", "0"}},
                          40000),
                {0, 0, .1266587, .1266587, .3733413, .3733413}),
            16.3);
}

TEST(FairNeg, HardDrawsFollowTheSoftmax) {
  EXPECT_LT(chi_square(counts_of({{"fairneg.hard", "1"},
                                  {"fairneg.temperature", "1"},
                                  {"fairneg.candidates", "2000"}},
                                 3000),
                       {0, 0, .1535979, .2073350, .5361086, .1029585}),
            16.3);
}

TEST(FairNeg, NeedsGroups) {
  EXPECT_ERROR(ask(make_fairneg(), {}, toy_train(), toy_vectors(), 0, 0),
               "needs groups of items; name a file of lines item,group");
}

}  // namespace
}  // namespace divns
