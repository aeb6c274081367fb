// SPDX-License-Identifier: Apache-2.0
// The pieces of DivNS one by one: ranking, ground sets, module two, pairing and mixing.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "numerics/set_diversity.h"
#include "samplers/divns/candidate_ranking.h"
#include "samplers/divns/diverse_choice.h"
#include "samplers/divns/ground_set.h"
#include "samplers/divns/partners.h"
#include "support/interactions.h"
#include "support/losses.h"
#include "support/six_items.h"
#include "train/batch_gradients.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;
using testing::SixItems;

std::vector<uint32_t> ranked(const std::vector<uint32_t>& items, const std::vector<float>& scores,
                             size_t kept) {
  std::vector<uint32_t> out(kept);
  std::vector<float> scratch(kept);
  rank_best(items, scores, out, scratch);
  return out;
}

TEST(RankBest, OrdersByScoreAndTakesTheFirstOfEquals) {
  EXPECT_EQ(ranked({7, 8, 9, 5}, {.1F, .4F, .4F, .3F}, 3), (std::vector<uint32_t>{8, 9, 5}));
  EXPECT_EQ(ranked({7, 8}, {.1F, .4F}, 4), (std::vector<uint32_t>{8, 7, kNoItem, kNoItem}));
  EXPECT_EQ(ranked({3}, {-2}, 1), (std::vector<uint32_t>{3}));
}

TEST(RankBest, AgreesWithSortingWhereItemsRepeat) {
  for (uint32_t round = 0; round < 200; ++round) {
    Draws draws = Random(3, "rank").draws(round);
    std::vector<uint32_t> items(1 + draws.below(30));
    std::vector<float> scores;
    for (uint32_t& item : items) {
      item = draws.below(12);
      scores.push_back(static_cast<float>(item % 5));  // many ties between items
    }
    std::vector<uint32_t> order;
    for (const uint32_t item : items)
      if (std::find(order.begin(), order.end(), item) == order.end()) order.push_back(item);
    std::stable_sort(order.begin(), order.end(),
                     [](uint32_t a, uint32_t b) { return a % 5 > b % 5; });
    order.resize(6, kNoItem);
    EXPECT_EQ(ranked(items, scores, 6), order);
  }
}

TEST(CandidateRanking, SixItemsGiveTheHardNegativeAndTheCache) {
  const SixItems six;
  const CandidateRanking ranking(six.train.view(), {.candidates = 4, .replacement = false}, 3);
  std::vector<uint32_t> list(4);
  Draws draws = Random(1, "list").draws();
  ranking.draw(draws, 0, list);
  EXPECT_EQ(std::set<uint32_t>(list.begin(), list.end()), (std::set<uint32_t>{2, 3, 4, 5}));
  std::vector<uint32_t> best(3);
  CandidateRanking::Scratch scratch;
  ranking.rank(six.users.row(0), six.items.view(), list, best, scratch);
  EXPECT_EQ(best, (std::vector<uint32_t>{4, 3, 2}));
}

TEST(GroundSet, HasTheCacheWithoutHardNegativesWhateverTheWay) {
  // Of 100,000 items a short list is sorted and a long one marked.
  for (const size_t length : {size_t{0}, size_t{20}, size_t{90}, size_t{5000}}) {
    for (const uint32_t items : {60U, 100'000U}) {
      Draws draws = Random(length, "ground").draws(items);
      std::vector<uint32_t> cached(length);
      std::vector<uint32_t> hard(length / 4 + 2, kNoItem);
      for (uint32_t& item : cached) item = draws.below(8) == 0 ? kNoItem : draws.below(items);
      for (size_t i = 0; i < length / 4; ++i) hard[i] = cached[draws.below64(length)];
      std::set<uint32_t> expected(cached.begin(), cached.end());
      for (const uint32_t item : hard) expected.erase(item);
      expected.erase(kNoItem);
      GroundSet ground(items);
      std::vector<uint32_t> out(length);
      for (int again = 0; again < 2; ++again) {
        out.resize(ground.build(cached, hard, out));
        EXPECT_EQ(out, std::vector<uint32_t>(expected.begin(), expected.end()));
        out.resize(length);
      }
    }
  }
}

// Module two on the six items: ground set {0, 2, 3, 5} against H.
std::vector<uint32_t> diverse(const DivnsOptions& options, const std::vector<uint32_t>& against,
                              uint32_t k, uint32_t epoch = 1) {
  const SixItems six;
  const Executor executor(1);
  DiverseChoice choice(options, {.train = six.train.view(), .executor = executor, .seed = 5});
  const std::vector<uint32_t> ground = {0, 2, 3, 5};
  const std::vector<uint64_t> ground_offsets = {0, ground.size()};
  const std::vector<uint64_t> against_offsets = {0, against.size()};
  const std::vector<uint32_t> sizes = {k};
  std::vector<uint32_t> chosen(k);
  std::vector<uint32_t> counts(1);
  choice.choose(six.items.view(), {ground_offsets, ground, against_offsets, against, sizes}, epoch,
                0, chosen, counts);
  chosen.resize(counts[0]);
  return chosen;
}

TEST(DiverseChoice, SixItemsGreedyOrder) {
  const DivnsOptions options;
  EXPECT_EQ(diverse(options, {4, 1}, 2), (std::vector<uint32_t>{5, 2}));
  EXPECT_EQ(diverse(options, {4, 1}, 3), (std::vector<uint32_t>{5, 2, 3}));
  EXPECT_EQ(diverse(options, {4, 4, 1}, 1), (std::vector<uint32_t>{2}));  // q_2 = 1.44 leads
  EXPECT_EQ(diverse(options, {4, 1}, 9).size(), 4U);
}

TEST(DiverseChoice, SixItemsPenalty) {
  const SixItems six;
  const auto rows = [&](const std::vector<uint32_t>& ids) {
    Table table(static_cast<uint32_t>(ids.size()), 2);
    for (size_t i = 0; i < ids.size(); ++i) std::copy_n(six.items.row(ids[i]), 2, table.row(i));
    return table;
  };
  const Table ground = rows({0, 2, 3, 5});
  const Table two = rows({4, 1});
  const Table three = rows({4, 4, 1});
  const double expected[][4] = {{.2743947, 1.2347180, .8888094, 1.4336217},
                                {.2136100, 1.4423096, .6727874, 1.2547814}};
  const auto q2 = dpp_penalty(ground.view(), two.view());
  const auto q3 = dpp_penalty(ground.view(), three.view());
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(q2[i], expected[0][i], 1e-6);
    EXPECT_NEAR(q3[i], expected[1][i], 1e-6);
  }
}

// Draws pairs again and again and compares with their probabilities by chi-square.
void expect_law(const DivnsOptions& options, const std::map<std::set<uint32_t>, double>& law) {
  constexpr uint32_t kRounds = 6000;
  std::map<std::set<uint32_t>, double> counts;
  for (uint32_t round = 0; round < kRounds; ++round) {
    const auto chosen = diverse(options, {4, 1}, 2, round);
    ++counts[std::set<uint32_t>(chosen.begin(), chosen.end())];
  }
  double chi2 = 0;
  double seen = 0;
  for (const auto& [set, probability] : law) {
    const double expected = probability * kRounds;
    chi2 += (counts[set] - expected) * (counts[set] - expected) / expected;
    seen += counts[set];
  }
  EXPECT_EQ(seen, kRounds);
  EXPECT_LT(chi2, 20.5);  // 5 degrees of freedom, p = 0.001
}

TEST(DiverseChoice, ExactDrawsFollowTheKDpp) {
  DivnsOptions options;
  options.diverse = DiverseRule::kExact;
  expect_law(options, {{{0, 2}, .0255037},
                       {{0, 3}, .0159886},
                       {{0, 5}, .0450706},
                       {{2, 3}, .0109797},
                       {{2, 5}, .6522828},
                       {{3, 5}, .2501747}});
}

TEST(DiverseChoice, UniformDrawsEverySetAlike) {
  DivnsOptions options;
  options.diverse = DiverseRule::kUniform;
  std::map<std::set<uint32_t>, double> law;
  for (const uint32_t a : {0U, 2U, 3U, 5U})
    for (const uint32_t b : {0U, 2U, 3U, 5U})
      if (a < b) law[{a, b}] = 1.0 / 6;
  expect_law(options, law);
}

TEST(DiverseChoice, VanillaHasNoPenalty) {
  // All gains are 1 at first, so the lowest item leads; then the one most at right angles to it.
  DivnsOptions options;
  options.diverse = DiverseRule::kVanilla;
  EXPECT_EQ(diverse(options, {4, 1}, 2), (std::vector<uint32_t>{0, 5}));
}

TEST(DiverseChoice, OppositeTakesTheSmallestCosines) {
  // Smallest cosine with 4 or 1: item 5 -.970, item 2 -.857, item 3 -.537, item 0 .543.
  DivnsOptions options;
  options.diverse = DiverseRule::kOpposite;
  EXPECT_EQ(diverse(options, {4, 4, 1}, 3), (std::vector<uint32_t>{5, 2, 3}));
  EXPECT_EQ(diverse(options, {4, 1}, 7), (std::vector<uint32_t>{5, 2, 3, 0}));
}

TEST(DiverseChoice, RankPolicies) {
  // The kernel has rank 2.
  DivnsOptions options;
  options.rank_policy = RankPolicy::kStop;
  EXPECT_EQ(diverse(options, {4, 1}, 4), (std::vector<uint32_t>{5, 2}));
  options.rank_policy = RankPolicy::kRounds;
  EXPECT_EQ(diverse(options, {4, 1}, 4), (std::vector<uint32_t>{5, 2, 3, 0}));
}

TEST(DiverseChoice, PenaltyRangesAndRawVectors) {
  DivnsOptions options;
  options.penalty = PenaltyRange::kHalf;
  EXPECT_EQ(diverse(options, {4, 1}, 3), (std::vector<uint32_t>{5, 2, 3}));
  // Clipped, items 2 and 5 both have q = 1: the lower one leads, and 5 is left with sin^2.
  options.penalty = PenaltyRange::kClip;
  EXPECT_EQ(diverse(options, {4, 1}, 2), (std::vector<uint32_t>{2, 5}));
  // Raw: item 0 no longer leads by number, because 2 and 5 are longer.
  options = {};
  options.diverse = DiverseRule::kVanilla;
  EXPECT_EQ(diverse(options, {4, 1}, 1), (std::vector<uint32_t>{0}));
  options.unit_kernel = false;
  EXPECT_NE(diverse(options, {4, 1}, 1), (std::vector<uint32_t>{0}));
  // With the penalty: q_i^2 |v_i|^2 = .062, 1.296, .269, 1.747.
  options.diverse = DiverseRule::kAugmented;
  EXPECT_EQ(diverse(options, {4, 1}, 1), (std::vector<uint32_t>{5}));
}

std::vector<uint32_t> partners_of(size_t places, std::vector<uint32_t> items,
                                  PartnerShortage shortage, uint32_t round,
                                  DivnsPairing pairing = DivnsPairing::kRandom) {
  static const OwnedInteractions data({{0, 1}}, 12);
  const CandidateDrawer drawer(data.view());
  Draws draws = Random(2, "partners").draws(round);
  const size_t diverse = items.size();
  items.resize(places);
  std::vector<uint32_t> scratch;
  DivnsOptions options;
  options.shortage = shortage;
  options.pairing = pairing;
  pair_up(draws, 0, drawer, options, items, diverse, scratch);
  return items;
}

TEST(PairUp, OrderedPartnersKeepTheOrderOfTheChoice) {
  for (uint32_t round = 0; round < 20; ++round)
    EXPECT_EQ(partners_of(5, {9, 7, 8}, PartnerShortage::kRecycle, round, DivnsPairing::kOrdered),
              (std::vector<uint32_t>{9, 7, 8, 9, 7}));
}

TEST(PairUp, EveryOrderOfPartnersIsEquallyLikely) {
  std::map<std::vector<uint32_t>, double> counts;
  constexpr uint32_t kRounds = 6000;
  for (uint32_t round = 0; round < kRounds; ++round)
    ++counts[partners_of(3, {7, 8, 9}, PartnerShortage::kRecycle, round)];
  ASSERT_EQ(counts.size(), 6U);
  double chi2 = 0;
  for (const auto& [order, count] : counts) chi2 += (count - 1000) * (count - 1000) / 1000;
  EXPECT_LT(chi2, 20.5);  // 5 degrees of freedom, p = 0.001
}

TEST(PairUp, RecyclesInRoundsOfAllDiverseItems) {
  std::map<uint32_t, double> in_last_place;
  constexpr uint32_t kRounds = 6000;
  for (uint32_t round = 0; round < kRounds; ++round) {
    const auto partners = partners_of(8, {4, 5, 6}, PartnerShortage::kRecycle, round);
    for (size_t begin = 0; begin < 6; begin += 3)
      EXPECT_EQ(std::set<uint32_t>(partners.begin() + static_cast<ptrdiff_t>(begin),
                                   partners.begin() + static_cast<ptrdiff_t>(begin + 3)),
                (std::set<uint32_t>{4, 5, 6}));
    EXPECT_NE(partners[6], partners[7]);
    ++in_last_place[partners[7]];
  }
  double chi2 = 0;
  for (const auto& [item, count] : in_last_place) chi2 += (count - 2000) * (count - 2000) / 2000;
  EXPECT_LT(chi2, 13.8);  // 2 degrees of freedom, p = 0.001
}

TEST(PairUp, OtherRulesForAShortage) {
  std::set<size_t> alone;
  for (uint32_t round = 0; round < 100; ++round) {
    const auto partners = partners_of(4, {7, 8, 9}, PartnerShortage::kUnmixed, round);
    EXPECT_EQ(std::count(partners.begin(), partners.end(), kNoItem), 1);
    alone.insert(static_cast<size_t>(std::find(partners.begin(), partners.end(), kNoItem) -
                                     partners.begin()));
    for (const uint32_t item : partners_of(9, {7}, PartnerShortage::kRefill, round))
      EXPECT_TRUE(item >= 2 && item < 12);
  }
  EXPECT_EQ(alone.size(), 4U);
  EXPECT_EQ(partners_of(2, {}, PartnerShortage::kRecycle, 0),
            (std::vector<uint32_t>{kNoItem, kNoItem}));
  EXPECT_LT(partners_of(2, {}, PartnerShortage::kRefill, 0)[1], 12U);
}

TEST(Diversity, SixItems) {
  const SixItems six;
  SetDiversity sets(3, 2);
  for (const uint32_t i : {0U, 1U, 2U}) sets.add(0, six.items.row(i));
  for (const uint32_t i : {4U, 1U}) sets.add(1, six.items.row(i));
  for (uint32_t i = 0; i < 6; ++i) sets.add(2, six.items.row(i));
  EXPECT_NEAR(*sets.of(0), .8772189, 1e-6);
  EXPECT_NEAR(*sets.of(1), .8585786, 1e-6);
  EXPECT_NEAR(*sets.of(2), 1.0567870, 1e-6);
}

TEST(DivNsMixture, SixItemsLossAndGradients) {
  const SixItems six;
  const VectorTable users = six.users.view();
  const VectorTable items = six.items.view();
  const float pool = 1;
  const EmbeddingView view{.users = users,
                           .items = items,
                           .user_hops = std::span(&users, 1),
                           .item_hops = std::span(&items, 1),
                           .pool_weights = std::span(&pool, 1)};
  const std::vector<uint32_t> user = {0};
  const std::vector<uint32_t> positive = {0};
  const Batch batch{.users = user, .positives = positive};
  const auto loss_of = [&](float lambda, BatchGradients& gradients) {
    Negatives negatives;
    negatives.reset(1, 1, 2);
    negatives.terms = {{4, kEveryHop, lambda}, {5, kEveryHop, 1 - lambda}};
    gradients.score(batch, negatives, view);
    gradients.accumulate(batch, negatives, view, {});
    return gradients.loss();
  };
  const Executor executor(1);
  BatchGradients gradients({.l2 = 0}, testing::default_loss(), 3, 6, 2, 1, executor);
  // Scores of the mixtures: .505 and .175, of the positive .95.
  EXPECT_NEAR(loss_of(.5F, gradients), std::log1p(std::exp(.175 - .95)), 1e-6);
  EXPECT_NEAR(loss_of(.7F, gradients), std::log1p(std::exp(.505 - .95)), 1e-6);
  const auto expect_row = [](const float* row, double x, double y) {
    EXPECT_NEAR(row[0], x, 1e-6);
    EXPECT_NEAR(row[1], y, 1e-6);
  };
  expect_row(gradients.users().pooled.row(0), -.0468660, -.2538576);
  const auto item = [&](uint32_t id) {
    return gradients.items().pooled.row(gradients.items().slots[id]);
  };
  expect_row(item(0), -.3905502, -.1952751);
  expect_row(item(4), .2733852, .1366926);
  expect_row(item(5), .1171651, .0585825);
}

}  // namespace
}  // namespace divns
