// SPDX-License-Identifier: Apache-2.0
#include "samplers/mixgcf.h"

#include <gtest/gtest.h>

#include "support/losses.h"
#include "support/toy.h"
#include "train/batch_gradients.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::OwnedInteractions;
using testing::table_of;
using testing::ToyVectors;

constexpr uint32_t kPositive = 0;
constexpr uint32_t kA = 2;
constexpr uint32_t kB = 3;

// Two users and three items propagated over two layers, and an item B made up for the example.
ToyVectors hop_vectors() {
  std::vector<Table> users;
  std::vector<Table> items;
  users.push_back(table_of({{1, 0}, {0, 1}}));
  users.push_back(table_of({{1.7071068F, .7071068F}, {1, -.7071068F}}));
  users.push_back(table_of({{.75F, .25F}, {.25F, .75F}}));
  items.push_back(table_of({{1, 1}, {2, 0}, {0, -1}, {.5F, .5F}}));
  items.push_back(table_of({{.7071068F, 0}, {.5F, .5F}, {0, .7071068F}, {.2F, -.3F}}));
  items.push_back(table_of({{1.2071068F, .5F}, {1.3535534F, 0}, {.7071068F, -.5F}, {-.4F, .6F}}));
  return {std::move(users), std::move(items)};
}

OwnedInteractions hop_train() {
  return OwnedInteractions({{0, 1}, {1, 2}}, 4);
}

const testing::OptionValues kBoth = {{"mixgcf.candidates", "2"}, {"mixgcf.replacement", "false"}};

TEST(MixGcf, WorkedChoiceByHop) {
  const auto negatives = ask(make_mixgcf(), kBoth, hop_train(), hop_vectors(), 0, kPositive, 20);
  ASSERT_EQ(negatives.terms_each, 6U);
  const uint32_t chosen[] = {kB, kA, kA};
  for (size_t b = 0; b < 20; ++b)
    for (size_t l = 0; l < 3; ++l) {
      const Term& positive = negatives.terms[b * 6 + 2 * l];
      const Term& candidate = negatives.terms[b * 6 + 2 * l + 1];
      EXPECT_EQ(positive.item, kPositive);
      EXPECT_EQ(candidate.item, chosen[l]);
      EXPECT_EQ(candidate.hop, static_cast<int32_t>(l));
      EXPECT_EQ(positive.hop, static_cast<int32_t>(l));
      EXPECT_EQ(positive.weight + candidate.weight, 1.0F);
    }
}

// With the user's own hops hop 1 still prefers A (.5 against .1293 before mixing) and hop 0 B.
TEST(MixGcf, QueriesByHop) {
  auto values = kBoth;
  values.emplace_back("mixgcf.hop_query", "hop");
  const auto negatives = ask(make_mixgcf(), values, hop_train(), hop_vectors(), 0, kPositive);
  EXPECT_EQ(negatives.terms[1].item, kB);
  EXPECT_EQ(negatives.terms[3].item, kA);
  EXPECT_EQ(negatives.terms[5].item, kA);
}

TEST(MixGcf, SharesAreUniformAndFreshForEveryNegative) {
  const auto negatives =
      ask(make_mixgcf(), kBoth, hop_train(), hop_vectors(), 0, kPositive, 4000, 2);
  std::vector<double> bins(10, 0);
  for (size_t t = 0; t < negatives.terms.size(); t += 2) {
    ASSERT_GE(negatives.terms[t].weight, 0.0F);
    ASSERT_LT(negatives.terms[t].weight, 1.0F);
    ++bins[static_cast<size_t>(negatives.terms[t].weight * 10)];
    if (t >= 2) {
      EXPECT_NE(negatives.terms[t].weight, negatives.terms[t - 2].weight);
    }
  }
  EXPECT_LT(chi_square(bins, std::vector<double>(10, .1)), 27.9);
}

TEST(MixGcf, WorkedMixtureAndGradients) {
  auto negatives = ask(make_mixgcf(), kBoth, hop_train(), hop_vectors(), 0, kPositive);
  const float alpha[] = {.25F, .5F, .75F};
  for (size_t l = 0; l < 3; ++l) {
    negatives.terms[2 * l].weight = alpha[l];
    negatives.terms[2 * l + 1].weight = 1 - alpha[l];
  }
  const ToyVectors vectors = hop_vectors();
  const EmbeddingView view = vectors.view();
  double pooled[2] = {0, 0};
  for (const Term& term : negatives.terms)
    for (size_t c = 0; c < 2; ++c)
      pooled[c] += double{term.weight} / 3 *
                   double{view.item_hops[static_cast<size_t>(term.hop)].row(term.item)[c]};
  EXPECT_NEAR(pooled[0], .6868867, 1e-6);
  EXPECT_NEAR(pooled[1], .4095178, 1e-6);

  const Executor executor(1);
  BatchGradients gradients({.l2 = 0}, testing::default_loss(), 2, 4, 2, 3, executor);
  const std::vector<uint32_t> users = {0};
  const std::vector<uint32_t> positives = {kPositive};
  const Batch batch{.users = users, .positives = positives};
  gradients.score(batch, negatives, view);
  gradients.accumulate(batch, negatives, view, {});
  EXPECT_NEAR(gradients.scored().totals().hardness, .9221977 - 1.2789342, 1e-6);
  const auto at = [&](uint32_t item, size_t hop, uint32_t c) {
    const RowGradients& side = gradients.items();
    return double{side.hops[hop].row(side.slots[item])[c]};
  };
  EXPECT_NEAR(at(kB, 0, 0), .1186219, 1e-6);
  EXPECT_NEAR(at(kB, 0, 1), .0328407, 1e-6);
  EXPECT_NEAR(at(kPositive, 0, 0), .0395406, 1e-6);
  EXPECT_NEAR(at(kA, 1, 0), .0790813, 1e-6);
  EXPECT_NEAR(at(kPositive, 1, 1), .0218938, 1e-6);
  EXPECT_NEAR(at(kA, 2, 0), .0395406, 1e-6);
  EXPECT_NEAR(at(kPositive, 2, 0), .1186219, 1e-6);
}

}  // namespace
}  // namespace divns
