// SPDX-License-Identifier: Apache-2.0
#include "samplers/dns.h"

#include <gtest/gtest.h>

#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::item_counts;
using testing::toy_train;
using testing::toy_vectors;

const testing::OptionValues kAll = {{"dns.candidates", "6"}, {"dns.replacement", "false"}};

TEST(Dns, WorkedExamples) {
  EXPECT_EQ(ask(make_dns(), kAll, toy_train(), toy_vectors(), 0, 0).terms[0].item, 4U);
  EXPECT_EQ(ask(make_dns(), kAll, toy_train(), toy_vectors(), 1, 2).terms[0].item, 1U);
}

// User 0 scores its items in the order 5 < 2 < 3 < 4. The better of two draws with replacement is
// the r-th from below with probability (2r - 1) / 16.
TEST(Dns, LawOfTheBetterOfTwo) {
  const auto negatives =
      ask(make_dns(), {{"dns.candidates", "2"}}, toy_train(), toy_vectors(), 0, 0, 40000);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 0, 3 / 16., 5 / 16., 7 / 16., 1 / 16.}),
            16.3);
}

// Without replacement the better of two of four: 3 of the 6 pairs hold the best, 2 the second.
TEST(Dns, LawOfTheBetterOfTwoDistinct) {
  const auto negatives = ask(make_dns(), {{"dns.candidates", "2"}, {"dns.replacement", "false"}},
                             toy_train(), toy_vectors(), 0, 0, 40000);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 0, 1 / 6., 2 / 6., 3 / 6., 0}), 13.8);
}

TEST(Dns, SeveralNegativesComeFromDisjointLists) {
  const auto negatives = ask(make_dns(), {{"dns.candidates", "2"}, {"dns.replacement", "false"}},
                             toy_train(), toy_vectors(), 0, 0, 200, 2);
  ASSERT_EQ(negatives.terms.size(), 400U);
  for (size_t b = 0; b < 200; ++b) {
    const uint32_t pair[] = {negatives.terms[2 * b].item, negatives.terms[2 * b + 1].item};
    EXPECT_NE(pair[0], pair[1]);
    EXPECT_TRUE(pair[0] == 4 || pair[1] == 4);
  }
}

TEST(Dns, MoreListsThanItemsUseSomeTwice) {
  const auto negatives = ask(make_dns(), kAll, toy_train(), toy_vectors(), 0, 0, 1, 7);
  ASSERT_EQ(negatives.terms.size(), 7U);
  for (const double count : testing::item_counts(negatives, 6)) EXPECT_LE(count, 2);
}

TEST(Dns, EqualScoresGoToTheFirstOfTheList) {
  auto vectors = toy_vectors();
  std::fill_n(vectors.pooled_items.data(), vectors.pooled_items.size(), 0.0F);
  const auto negatives =
      ask(make_dns(), {{"dns.candidates", "3"}}, toy_train(), vectors, 0, 0, 40000);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 0, .25, .25, .25, .25}), 16.3);
}

TEST(Dns, CandidatesByPopularity) {
  // Items 2, 3 and 5 have one training pair each, item 4 none: it cannot be drawn.
  const auto negatives = ask(make_dns(), {{"dns.law", "popularity"}, {"dns.candidates", "1"}},
                             toy_train(), toy_vectors(), 0, 0, 30000);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 0, 1 / 3., 1 / 3., 0, 1 / 3.}), 13.8);
}

TEST(Dns, WithoutRejectionPositivesComeToo) {
  const auto negatives = ask(
      make_dns(),
      {{"dns.reject_positives", "false"}, {"dns.candidates", "6"}, {"dns.replacement", "false"}},
      toy_train(), toy_vectors(), 2, 3);
  EXPECT_EQ(negatives.terms[0].item, 5U);
}

}  // namespace
}  // namespace divns
