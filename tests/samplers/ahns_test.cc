// SPDX-License-Identifier: Apache-2.0
#include "samplers/ahns.h"

#include <gtest/gtest.h>

#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::toy_train;
using testing::toy_vectors;

uint32_t choice(uint32_t user, uint32_t positive, const std::string& alpha, const std::string& beta,
                const std::string& p = "-2", const std::string& similarity = "ip",
                const testing::ToyVectors& vectors = toy_vectors()) {
  const testing::OptionValues values = {{"ahns.candidates", "4"},
                                        {"ahns.replacement", "false"},
                                        {"ahns.alpha", alpha},
                                        {"ahns.beta", beta},
                                        {"ahns.p", p},
                                        {"ahns.similarity", similarity}};
  return ask(make_ahns(), values, toy_train(), vectors, user, positive).terms[0].item;
}

TEST(Ahns, WorkedTargets) {
  const auto target = [](double score, double alpha, double beta, double p = -2) {
    return ahns_target(score, alpha, beta, p).value_or(1e300);
  };
  EXPECT_NEAR(target(.95, .1, 1), .9523810, 1e-7);
  EXPECT_NEAR(target(.95, 1, .1), .0512821, 1e-7);
  EXPECT_NEAR(target(.95, .1, .1), .0952381, 1e-7);
  EXPECT_NEAR(target(.95, .1, -.2), -.1904762, 1e-7);
  EXPECT_NEAR(target(-.25, .1, .1), -.6666667, 1e-7);
  EXPECT_NEAR(target(-.25, 1, .4), .5333333, 1e-7);
  EXPECT_NEAR(target(.46, 1, .1), .0684932, 1e-7);
  EXPECT_NEAR(target(.7, .3, .25, -1), .25, 1e-12);
}

TEST(Ahns, WorkedChoices) {
  EXPECT_EQ(choice(0, 0, "0.1", "1"), 4U);
  EXPECT_EQ(choice(0, 0, "1", "0.1"), 3U);
  EXPECT_EQ(choice(0, 0, "0.1", "0.1"), 3U);
  EXPECT_EQ(choice(0, 0, "0.1", "-0.2"), 2U);
  EXPECT_EQ(choice(2, 3, "1", "0.1"), 0U);
}

// A positive that scores -.25, on either side of -alpha.
TEST(Ahns, WorkedChoicesForALowPositive) {
  auto vectors = toy_vectors();
  vectors.pooled_items.row(0)[0] = -.6F;
  vectors.pooled_items.row(0)[1] = .7F;
  EXPECT_EQ(choice(0, 0, "0.1", "0.1", "-2", "ip", vectors), 5U);
  EXPECT_EQ(choice(0, 0, "1", "0.4", "-2", "ip", vectors), 4U);
}

TEST(Ahns, GuardsThePoleAndFractionalPowers) {
  EXPECT_FALSE(ahns_target(-.5, .5, .1, -2).has_value());
  EXPECT_NEAR(ahns_target(-.5, .5, .1, -1).value_or(0), .1, 1e-12);
  EXPECT_NEAR(ahns_target(-2, .5, .1, -1.5).value_or(0), .1 * 1e6, 1e-3);
  EXPECT_NEAR(ahns_target(3.5, .5, .1, -1.5).value_or(0), .05, 1e-12);
}

// Cosines of user 0 with 2, 3, 4, 5 are -.2425, .0767, .7071, -.6305 and with its positive 0
// .9383; squared distances 2.6, 1.49, .85, 3.4 and .17.
TEST(Ahns, OtherSimilarities) {
  EXPECT_EQ(choice(0, 0, "0", "-0.2", "-2", "cos"), 2U);
  EXPECT_EQ(choice(0, 0, "0", "0.7", "-2", "cos"), 4U);
  EXPECT_EQ(choice(0, 0, "0", "0.58", "-2", "distance"), 5U);
  EXPECT_EQ(choice(0, 0, "0", "0.25", "-2", "distance"), 3U);
}

}  // namespace
}  // namespace divns
