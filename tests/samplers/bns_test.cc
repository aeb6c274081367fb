// SPDX-License-Identifier: Apache-2.0
#include "samplers/bns.h"

#include <gtest/gtest.h>

#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::OptionValues;
using testing::OwnedInteractions;
using testing::toy_vectors;

TEST(Bns, PosteriorOfATrueNegative) {
  EXPECT_NEAR(bns_unbias(1 / 7., .2), .96, 1e-12);
  EXPECT_NEAR(bns_unbias(3 / 7., .2), .8421053, 1e-7);
  EXPECT_EQ(bns_unbias(0.9, 0), 1);
  EXPECT_EQ(bns_unbias(1, 0.3), 0);
  EXPECT_EQ(bns_unbias(1, 0), 0);  // 0 / 0
}

// All four items that user 0 has no pair with are candidates, and all items the reference. The
// scores of items 2 to 5 are -.25, .05, 1 and -.65, so F is 2/7, 3/7, 6/7 and 1/7. Item 4 has 4 of
// the 9 pairs.
uint32_t chosen(const char* lambda) {
  const OwnedInteractions train({{0, 1}, {2, 4}, {3, 4, 5}, {4}, {4}}, 6);
  const OptionValues values = {
      {"bns.candidates", "4"}, {"bns.reference", "0"}, {"bns.lambda", lambda}};
  auto vectors = toy_vectors();
  vectors.pooled_users = Table(5, 2);
  std::copy_n(vectors.users[0].row(0), 2, vectors.pooled_users.row(0));
  return ask(make_bns(), values, train, vectors, 0, 0).terms[0].item;
}

// Risks with lambda 5: -1.0912, -1.2966, -.0177, -.8193. With lambda 0: .0110, .0248, .4241, .0034.
TEST(Bns, WorkedExample) {
  EXPECT_EQ(chosen("5"), 3U);
  EXPECT_EQ(chosen("0"), 5U);
}

// With a sample of five of six items as reference, the order of items 2 to 5 stays the same.
TEST(Bns, SampledReference) {
  const auto negatives = ask(make_bns(), {{"bns.candidates", "4"}, {"bns.reference", "5"}},
                             testing::toy_train(), toy_vectors(), 0, 0, 50);
  for (const Term& term : negatives.terms) EXPECT_EQ(term.item, 4U);
}

}  // namespace
}  // namespace divns
