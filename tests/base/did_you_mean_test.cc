// SPDX-License-Identifier: Apache-2.0
#include "divns/did_you_mean.h"

#include <gtest/gtest.h>

#include <vector>

namespace divns {
namespace {

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("raito", "ratio"), 1U);  // a swap of neighbours is one slip
  EXPECT_EQ(edit_distance("Seed", "seed"), 0U);
}

TEST(Nearest, NamesTheClosestOrNothing) {
  const std::vector<std::string> known = {"learning_rate", "batch_size", "seed"};
  EXPECT_EQ(nearest_name("lerning_rate", known), "learning_rate");
  EXPECT_EQ(nearest_name("batchsize", known), "batch_size");
  EXPECT_EQ(nearest_name("colour", known), "");
  EXPECT_EQ(nearest_name("batch", known), "batch_size");  // part of a name
  EXPECT_EQ(nearest_name("ra", known), "");
  EXPECT_EQ(did_you_mean("sed", known), " Did you mean 'seed'?");
  EXPECT_EQ(did_you_mean("colour", known), "");
}

TEST(Nearest, ComparesTheLastPartOfDottedNames) {
  const std::vector<std::string> known = {"l2", "divns.lambda", "ahns.p", "ials.l2"};
  EXPECT_EQ(nearest_name("lamda", known), "divns.lambda");
  EXPECT_EQ(nearest_name("divns.lamda", known), "divns.lambda");
  EXPECT_EQ(nearest_name("p", known), "ahns.p");
  EXPECT_EQ(nearest_name("l2", known), "l2");  // the whole name wins over ials.l2
  EXPECT_EQ(nearest_name("q", std::vector<std::string>{"ahns.p"}), "");
}

}  // namespace
}  // namespace divns
