// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <set>

#include "dpp/greedy.h"
#include "dpp/reference.h"

namespace divns {
namespace {

using testing::DenseGreedy;
using testing::Quad;

enum class Shape { kPlain, kClusters, kNearDuplicates, kGraded, kLowRank };

// Rows whose difficulties are known: groups around a few centres, copies with float32 noise,
// lengths from 1e-6 to 1e6, or a few directions in a wide space.
FeatureRows make(Shape shape, size_t n, size_t dim, uint64_t seed) {
  Draws draws = Random(seed, "dpp.property").draws();
  std::vector<std::vector<double>> values(n, std::vector<double>(dim));
  for (size_t i = 0; i < n; ++i) {
    const bool copies = i >= 4 && (shape == Shape::kClusters || shape == Shape::kNearDuplicates);
    const size_t source = copies ? draws.below(4) : i;
    const double noise = shape == Shape::kClusters ? 0.1 : 1e-6;
    const double length = shape == Shape::kGraded ? std::pow(10, 12 * draws.uniform() - 6) : 1;
    for (size_t c = 0; c < dim; ++c) {
      const bool silent = shape == Shape::kLowRank && c >= 2;
      const double fresh = silent ? 0 : draws.normal();
      values[i][c] = copies ? values[source][c] + noise * fresh : length * fresh;
    }
  }
  return testing::make_rows(values);
}

TEST(GreedyProperty, EveryPickIsBestToRoundingInEveryForm) {
  const bool holds = rc::check([] {
    const auto shape = static_cast<Shape>(*rc::gen::inRange(0, 5));
    const auto n = *rc::gen::inRange<size_t>(1, 60);
    const auto dim = *rc::gen::inRange<size_t>(1, 20);
    const auto k = *rc::gen::inRange<size_t>(1, n + 1);
    const double jitter = *rc::gen::element(1e-6, 1e-4, 1e-1);
    const FeatureRows rows = make(shape, n, dim, *rc::gen::arbitrary<uint32_t>());
    // What float64 can know: its unit times the largest squared length, a few times over.
    const double doubt = 1e-13 * rows.largest_square();
    for (const auto form : {DppAlgorithm::kUpdates, DppAlgorithm::kLazy, DppAlgorithm::kCholesky}) {
      DppConfig config;
      config.algorithm = form;
      config.jitter = jitter;
      GreedyScratch scratch;
      Picks picks;
      greedy(rows, k, config, scratch, picks);
      RC_ASSERT(picks.size() == k);
      RC_ASSERT(std::set<uint32_t>(picks.rows.begin(), picks.rows.end()).size() == k);
      DenseGreedy<Quad> dense(testing::dense_kernel<Quad>(rows, static_cast<Quad>(jitter)), n);
      for (size_t t = 0; t < k; ++t) {
        const size_t row = picks.rows[t];
        const auto best = static_cast<double>(dense.gain(dense.best()));
        const auto gain = static_cast<double>(dense.gain(row));
        RC_ASSERT(gain >= best * (1 - 1e-9) - doubt);
        RC_ASSERT(std::abs(picks.gains[t] - gain) <= 1e-9 * gain + doubt);
        dense.choose(row);
      }
    }
  });
  EXPECT_TRUE(holds);
}

TEST(GreedyProperty, FormsAgreeWithTheDenseReferenceWhereGainsAreApart) {
  const bool holds = rc::check([] {
    const auto shape = *rc::gen::element(Shape::kPlain, Shape::kClusters);
    const auto n = *rc::gen::inRange<size_t>(1, 400);
    const auto dim = *rc::gen::inRange<size_t>(1, 40);
    const auto k = *rc::gen::inRange<size_t>(1, std::min<size_t>(n, 120) + 1);
    const FeatureRows rows = make(shape, n, dim, *rc::gen::arbitrary<uint32_t>());
    DenseGreedy<double> dense(testing::dense_kernel<double>(rows, 1e-4), n);
    std::vector<uint32_t> expected;
    for (size_t t = 0; t < k; ++t) {
      expected.push_back(static_cast<uint32_t>(dense.best()));
      dense.choose(expected.back());
    }
    for (const auto form : {DppAlgorithm::kUpdates, DppAlgorithm::kLazy, DppAlgorithm::kCholesky}) {
      DppConfig config;
      config.algorithm = form;
      config.jitter = 1e-4;
      GreedyScratch scratch;
      Picks picks;
      greedy(rows, k, config, scratch, picks);
      RC_ASSERT(std::vector<uint32_t>(picks.rows.begin(), picks.rows.end()) == expected);
    }
  });
  EXPECT_TRUE(holds);
}

// Vectors and qualities over the whole range of float: the choice is that of the dense kernel of
// the same rows, brought to an ordinary scale.
TEST(GreedyProperty, AnyScaleEndsWithTheSameChoice) {
  constexpr uint32_t kRows = 50;
  constexpr uint32_t kDim = 8;
  Draws draws = Random(3, "dpp.scales").draws();
  std::vector<float> unit(size_t{kRows} * kDim);
  for (float& value : unit) value = static_cast<float>(draws.normal());
  std::vector<double> quality(kRows);
  for (double& q : quality) q = 0.5 + draws.uniform();
  DppConfig config;
  config.rank_policy = RankPolicy::kStop;
  const VectorTable plain{unit.data(), kRows, kDim, kDim};
  std::vector<double> kernel(size_t{kRows} * kRows);
  for (size_t i = 0; i < kRows; ++i)
    for (size_t j = 0; j < kRows; ++j)
      for (size_t c = 0; c < kDim; ++c)
        kernel[i * kRows + j] += quality[i] * quality[j] * static_cast<double>(unit[i * kDim + c]) *
                                 static_cast<double>(unit[j * kDim + c]);
  config.normalize = false;
  const auto expected = dpp_greedy_dense(kernel, kRows, kDim, config).items;
  for (int exponent = -126; exponent <= 126; exponent += 14) {
    std::vector<double> scaled = quality;
    for (double& q : scaled) q = std::ldexp(q, exponent);
    for (const auto form : {DppAlgorithm::kAuto, DppAlgorithm::kUpdates, DppAlgorithm::kLazy,
                            DppAlgorithm::kCholesky}) {
      config.algorithm = form;
      EXPECT_EQ(dpp_greedy(plain, scaled, kDim, config).items, expected) << exponent;
    }
    std::vector<float> vectors = unit;
    for (float& value : vectors) value = std::ldexp(value, std::min(exponent, 124));
    const VectorTable table{vectors.data(), kRows, kDim, kDim};
    EXPECT_EQ(dpp_greedy(table, quality, kDim, config).items, expected) << exponent;
    // Lengths do not matter to unit vectors.
    DppConfig units = config;
    units.normalize = true;
    EXPECT_EQ(dpp_greedy(table, quality, kDim, units).items,
              dpp_greedy(plain, quality, kDim, units).items)
        << exponent;
  }
}

TEST(GreedyProperty, HugeQualitiesAndDenormalVectorsEnd) {
  std::vector<float> tiny(200 * 4, 1e-40F);
  tiny[5] = 3e-40F;
  const VectorTable table{tiny.data(), 200, 4, 4};
  std::vector<double> quality(200);
  for (size_t i = 0; i < quality.size(); ++i)
    quality[i] = std::pow(10, 20 + static_cast<double>(i));
  for (const auto policy : {RankPolicy::kJitter, RankPolicy::kStop, RankPolicy::kRounds})
    for (const bool normalize : {false, true}) {
      DppConfig config;
      config.rank_policy = policy;
      config.normalize = normalize;
      for (const auto form :
           {DppAlgorithm::kUpdates, DppAlgorithm::kLazy, DppAlgorithm::kCholesky}) {
        config.algorithm = form;
        EXPECT_LE(dpp_greedy(table, {}, 20, config).items.size(), 20U);
        EXPECT_EQ(dpp_greedy(table, quality, 20, config).items.at(0), 199U);
      }
    }
}

}  // namespace
}  // namespace divns
