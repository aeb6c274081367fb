// SPDX-License-Identifier: Apache-2.0
#include "samplers/mcns.h"

#include <gtest/gtest.h>

#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::item_counts;
using testing::OwnedInteractions;
using testing::toy_train;
using testing::toy_vectors;

TEST(Mcns, UsersInDepthFirstOrder) {
  const OwnedInteractions train({{0, 1}, {2}, {1, 3}, {0}, {2, 3}, {}}, 4);
  EXPECT_EQ(depth_first_users(train.view()), (std::vector<uint32_t>{0, 3, 2, 4, 1, 5}));
}

// sigmoid(s)^2 of items 2 to 5 is .19169, .26265, .53445 and .11764. Items 3 and 5 are neighbours
// of each other and the others have none, so the proposals are not symmetric.
TEST(Mcns, ChainFollowsTheTarget) {
  const auto negatives = ask(make_mcns(), {{"mcns.alpha", "2"}, {"mcns.steps", "20"}}, toy_train(),
                             toy_vectors(), 0, 0, 1, 40000);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 0, .1732499, .2373878, .4830370, .1063253}),
            16.3);
}

TEST(Mcns, AlphaZeroIsUniform) {
  const auto negatives = ask(make_mcns(), {{"mcns.alpha", "0"}, {"mcns.steps", "20"}}, toy_train(),
                             toy_vectors(), 0, 0, 1, 20000);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 0, .25, .25, .25, .25}), 16.3);
}

}  // namespace
}  // namespace divns
