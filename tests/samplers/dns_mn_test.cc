// SPDX-License-Identifier: Apache-2.0
#include "samplers/dns_mn.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/losses.h"
#include "support/toy.h"
#include "train/batch_gradients.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::item_counts;
using testing::OptionValues;
using testing::toy_train;
using testing::toy_vectors;

Negatives ask_user0(OptionValues values, size_t rows) {
  values.emplace_back("dns_mn.candidates", "4");
  values.emplace_back("dns_mn.replacement", "false");
  return ask(make_dns_mn(), values, toy_train(), toy_vectors(), 0, 0, rows);
}

TEST(DnsMn, WorkedExamples) {
  EXPECT_LT(
      chi_square(item_counts(ask_user0({{"dns_mn.top", "2"}}, 20000), 6), {0, 0, 0, .5, .5, 0}),
      10.8);
  EXPECT_LT(
      chi_square(
          item_counts(ask_user0({{"dns_mn.top", "2"}, {"dns_mn.rank_law", "harmonic"}}, 20000), 6),
          {0, 0, 0, 1 / 3., 2 / 3., 0}),
      10.8);
  EXPECT_LT(
      chi_square(
          item_counts(ask_user0({{"dns_mn.top", "3"}, {"dns_mn.rank_law", "harmonic"}}, 20000), 6),
          {0, 0, .1818182, .2727273, .5454545, 0}),
      13.8);
}

TEST(DnsMn, TheExtremesAreDnsAndUniform) {
  EXPECT_EQ(item_counts(ask_user0({{"dns_mn.top", "1"}}, 50), 6)[4], 50);
  EXPECT_LT(chi_square(item_counts(ask_user0({{"dns_mn.top", "4"}}, 20000), 6),
                       {0, 0, .25, .25, .25, .25}),
            16.3);
}

// The mean of the losses against items 4 and 3; the sum, without 1/M, would be 1.0596135.
TEST(DnsMn, AllOfMAreAveraged) {
  const auto negatives = ask_user0({{"dns_mn.top", "2"}, {"dns_mn.use_all_m", "true"}}, 1);
  ASSERT_EQ(negatives.per_row, 2U);
  EXPECT_EQ(negatives.terms[0].item, 4U);
  EXPECT_EQ(negatives.terms[1].item, 3U);
  const Executor executor(1);
  BatchGradients gradients({.l2 = 0}, testing::default_loss(), 3, 6, 2, 1, executor);
  const std::vector<uint32_t> users = {0};
  const std::vector<uint32_t> positives = {0};
  const Batch batch{.users = users, .positives = positives};
  const auto vectors = toy_vectors();
  gradients.score(batch, negatives, vectors.view());
  gradients.accumulate(batch, negatives, vectors.view(), {});
  EXPECT_NEAR(gradients.loss(), 0.5298068, 1e-7);
}

TEST(DnsMn, AllOfMWhereFewerExist) {
  const auto negatives =
      ask(make_dns_mn(),
          {{"dns_mn.top", "5"}, {"dns_mn.use_all_m", "true"}, {"dns_mn.replacement", "false"}},
          toy_train(), toy_vectors(), 0, 0);
  ASSERT_EQ(negatives.importance.size(), 5U);
  for (size_t r = 0; r < 4; ++r) EXPECT_EQ(negatives.importance[r], 0.25F);
  EXPECT_EQ(negatives.importance[4], 0.0F);
}

TEST(DnsMn, RefusesMoreThanItDraws) {
  EXPECT_ERROR(ask_user0({{"dns_mn.top", "5"}}, 1), "dns_mn.top is 5 but only 4 candidates");
}

}  // namespace
}  // namespace divns
