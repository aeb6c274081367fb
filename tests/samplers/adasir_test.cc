// SPDX-License-Identifier: Apache-2.0
#include "samplers/adasir.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/losses.h"
#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::OwnedInteractions;
using testing::set_options;
using testing::table_of;
using testing::toy_train;
using testing::toy_vectors;
using testing::ToyVectors;

TEST(AdaSir, WorkedWeights) {
  const double scores[] = {.95, -.25, 1, 1, -.65};  // of items 0, 2, 4, 4, 5 for user 0
  const auto weights = [&](std::vector<double> proposal) {
    for (double& q : proposal) q = std::log(q);
    std::vector<double> w(scores, scores + 5);
    sir_log_weights(w, proposal);
    for (double& x : w) x = std::exp(x);
    return w;
  };
  const double uniform[] = {.2773438, .0835344, .2915635, .2915635, .0559948};
  const double skewed[] = {.1865588, .1685713, .2941858, .2941858, .0564984};
  for (size_t j = 0; j < 5; ++j) {
    EXPECT_NEAR(weights({.2, .2, .2, .2, .2})[j], uniform[j], 1e-7);
    EXPECT_NEAR(weights({.3, .1, .2, .2, .2})[j], skewed[j], 1e-7);
  }
}

TEST(AdaSir, WorkedImportanceAndLoss) {
  const std::vector<float> x = {-1.2F, .05F, -1.6F};
  const std::vector<float> log_w = {std::log(.1F), std::log(.6F), std::log(.05F)};
  std::vector<float> slopes(3);
  auto importance = x;
  importance_of(Importance::kUniform, importance, log_w);
  const double uniform[] = {.1937736, .6763362, .1298903};
  for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(importance[k], uniform[k], 1e-6);
  EXPECT_NEAR(testing::bpr_row(x, importance, slopes), .5608243, 1e-6);

  importance = x;
  importance_of(Importance::kCode, importance, log_w);
  const double code[] = {.0448889, .9400661, .0150450};
  for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(importance[k], code[k], 1e-6);
  EXPECT_NEAR(testing::bpr_row(x, importance, slopes), .6899848, 1e-6);

  importance = x;
  importance_of(Importance::kDivide, importance, log_w);
  double sum = 0;
  for (size_t k = 0; k < 3; ++k) sum += std::exp(double{x[k]} - double{log_w[k]});
  for (size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(importance[k], std::exp(double{x[k]} - double{log_w[k]}) / sum, 1e-6);
}

TEST(AdaSir, WorkedRankWeights) {
  const double expected[] = {1, 1, 1, 1.5, 1.8333333, 2.0833333};
  for (uint64_t r = 0; r < 6; ++r) EXPECT_NEAR(rank_weight(r), expected[r], 1e-7);
  double sum = 0;
  for (uint64_t r = 1; r < 500; ++r) {
    sum += 1.0 / static_cast<double>(r);
    EXPECT_NEAR(rank_weight(r + 1), sum, 1e-8) << r;
  }
}

// Many users alike, so that pools can be counted.
struct Crowd {
  static constexpr uint32_t kUsers = 20000;
  OwnedInteractions train{std::vector<std::vector<uint32_t>>(kUsers, {0, 1}), 6};
  Executor executor{2};
  std::unique_ptr<Sampler> sampler = make_adasir();
  std::vector<uint32_t> users = std::vector<uint32_t>(kUsers);
  std::vector<uint32_t> positives = std::vector<uint32_t>(kUsers, 0);

  explicit Crowd(const testing::OptionValues& values) {
    set_options(*sampler, values);
    sampler->start({.train = train.view(), .executor = executor, .seed = 3, .dim = 2});
    for (uint32_t u = 0; u < kUsers; ++u) users[u] = u;
  }
  static ToyVectors vectors(const std::vector<float>& user) {
    std::vector<Table> users;
    std::vector<Table> items;
    users.push_back(table_of(std::vector<std::vector<float>>(kUsers, user)));
    items.push_back(toy_vectors().items[0]);
    return {std::move(users), std::move(items)};
  }
  // One pick of each user, by item.
  std::vector<double> epoch(uint32_t number, const ToyVectors& at) {
    sampler->begin_epoch(number, at.view());
    const Batch batch{.epoch = number, .users = users, .positives = positives};
    RowsToRead rows;
    Negatives negatives;
    sampler->propose(batch, rows);
    sampler->choose(batch, at.view(), negatives);
    return testing::item_counts(negatives, 6);
  }
};

// Of two uniform candidates a and b, a stays with probability w_a = e^s_a / (e^s_a + e^s_b).
TEST(AdaSir, LawOfAPoolFromTwoCandidates) {
  Crowd crowd({{"adasir.candidates", "2"}, {"adasir.pool_size", "1"}});
  const double scores[] = {-.25, .05, 1.0, -.65};  // of items 2 to 5
  std::vector<double> law(6, 0);
  for (size_t a = 0; a < 4; ++a)
    for (size_t b = 0; b < 4; ++b) {
      const double share = 1 / (1 + std::exp(scores[b] - scores[a]));
      law[a + 2] += share / 16;
      law[b + 2] += (1 - share) / 16;
    }
  EXPECT_LT(chi_square(crowd.epoch(0, Crowd::vectors({1, .5F})), law), 16.3);
}

TEST(AdaSir, HalfOfAPoolSurvivesAnEpoch) {
  // First item 4 always wins, then item 2.
  const ToyVectors first = Crowd::vectors({300, -100});
  const ToyVectors second = Crowd::vectors({-300, 300});
  Crowd crowd({{"adasir.candidates", "60"}, {"adasir.pool_size", "3"}});
  EXPECT_EQ(crowd.epoch(0, first)[4], Crowd::kUsers);
  EXPECT_LT(chi_square(crowd.epoch(1, second), {0, 0, .5, 0, .5, 0}), 10.8);
  EXPECT_LT(chi_square(crowd.epoch(2, second), {0, 0, .75, 0, .25, 0}), 10.8);
  Crowd renewed(
      {{"adasir.candidates", "60"}, {"adasir.pool_size", "3"}, {"adasir.renew_every", "2"}});
  renewed.epoch(0, first);
  renewed.epoch(1, first);
  EXPECT_EQ(renewed.epoch(2, second)[2], Crowd::kUsers);
}

TEST(AdaSir, ImportanceSumsToOneAndFollowsTheScores) {
  const auto negatives = ask(make_adasir(), {{"adasir.importance", "uniform"}}, toy_train(),
                             toy_vectors(), 0, 0, 100, 5);
  ASSERT_EQ(negatives.importance.size(), 500U);
  const double scores[] = {.95, .8, -.25, .05, 1.0, -.65};
  for (size_t b = 0; b < 100; ++b) {
    double sum = 0;
    for (size_t k = 0; k < 5; ++k) sum += std::exp(scores[negatives.terms[b * 5 + k].item]);
    for (size_t k = 0; k < 5; ++k)
      EXPECT_NEAR(negatives.importance[b * 5 + k],
                  std::exp(scores[negatives.terms[b * 5 + k].item]) / sum, 1e-5);
  }
}

// User 0 scores its positives .95 and .8; of items 2 to 5 only item 4, with 1.0, is above.
TEST(AdaSir, RankWeightsCountWhatIsAbove) {
  const auto weight = [](const std::string& kind, uint32_t positive) {
    return ask(make_adasir(), {{"adasir.rank_weight", kind}, {"adasir.candidates", "3000"}},
               toy_train(), toy_vectors(), 0, positive)
        .row_weights.at(0);
  };
  // A quarter of the candidates above: rank floor(5/4) = 1. Three quarters below: rank 3.
  EXPECT_EQ(weight("corrected", 0), 1.0F);
  EXPECT_EQ(weight("code", 0), 1.5F);
  EXPECT_EQ(weight("code", 1), 1.5F);
  EXPECT_TRUE(ask(make_adasir(), {}, toy_train(), toy_vectors(), 0, 0).row_weights.empty());
}

}  // namespace
}  // namespace divns
