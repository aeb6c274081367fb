// SPDX-License-Identifier: Apache-2.0
#include "dpp/exact.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <set>
#include <unordered_map>
#include <vector>

#include "dpp/reference.h"
#include "linalg/symmetric_eigen.h"

namespace divns {
namespace {

using testing::normal_rows;

// The p-value of a chi-square test of the drawn sets against enumeration; cells that expect fewer
// than five are pooled.
template <class Draw>
double p_value(const std::vector<double>& kernel, size_t n, size_t k, int count, Draw&& draw) {
  std::unordered_map<uint32_t, int> seen;
  for (int i = 0; i < count; ++i) ++seen[draw()];
  const auto masks = testing::subsets(n, k);
  const auto probabilities = testing::subset_probabilities(kernel, n, k);
  double statistic = 0, pooled_expected = 0, pooled_seen = 0;
  int cells = 0;
  const auto add = [&](double observed, double expected) {
    statistic += (observed - expected) * (observed - expected) / expected;
    ++cells;
  };
  for (size_t s = 0; s < masks.size(); ++s) {
    const double expected = probabilities[s] * count;
    const auto found = seen.find(masks[s]);
    const double observed = found == seen.end() ? 0 : found->second;
    if (expected >= 5) {
      add(observed, expected);
    } else {
      pooled_expected += expected;
      pooled_seen += observed;
    }
  }
  if (pooled_expected >= 1) add(pooled_seen, pooled_expected);
  if (pooled_expected < 1e-3) {
    EXPECT_EQ(pooled_seen, 0);
  }
  if (cells < 2) return 1;
  return boost::math::cdf(
      boost::math::complement(boost::math::chi_squared(static_cast<double>(cells - 1)), statistic));
}

double p_value_of_exact(const FeatureRows& rows, size_t k, double jitter, int count) {
  const DualSpectrum spectrum(rows);
  ExactKdpp sampler(rows, spectrum, k, jitter);
  Draws draws = Random(21, "exact_test").draws(static_cast<uint32_t>(k));
  ScratchVector<uint32_t> chosen;
  return p_value(testing::dense_kernel<double>(rows, jitter), rows.size(), k, count, [&] {
    chosen.clear();
    sampler.draw(draws, chosen);
    uint32_t mask = 0;
    for (const uint32_t row : chosen) mask |= 1U << row;
    return mask;
  });
}

#ifdef DIVNS_SANITIZED
constexpr int kDraws = 10000;  // sanitizers look for other mistakes, slowly
#else
constexpr int kDraws = 200000;
#endif

TEST(ExactKdpp, DualSamplerHasTheLawOfEnumeration) {
  const FeatureRows rows = normal_rows(8, 5, 31, false);
  for (size_t k = 1; k <= 5; ++k) EXPECT_GT(p_value_of_exact(rows, k, 0, kDraws), 1e-3) << k;
}

TEST(ExactKdpp, JitterCarriesItBeyondTheRank) {
  const FeatureRows rows = normal_rows(7, 2, 32, false);
  for (size_t k = 1; k <= 7; ++k) EXPECT_GT(p_value_of_exact(rows, k, 0.3, kDraws), 1e-3) << k;
}

TEST(ExactKdpp, FewerRowsThanDimensions) {
  const FeatureRows rows = normal_rows(5, 9, 33, false);
  for (size_t k = 1; k <= 5; ++k) {
    EXPECT_GT(p_value_of_exact(rows, k, 0, kDraws / 4), 1e-3) << k;
    EXPECT_GT(p_value_of_exact(rows, k, 0.5, kDraws / 4), 1e-3) << k;
  }
}

TEST(ExactKdpp, TheTestNoticesAWrongKernel) {
  const FeatureRows rows = normal_rows(8, 5, 31, false);
  const DualSpectrum spectrum(rows);
  ExactKdpp sampler(rows, spectrum, 3, 0);
  Draws draws = Random(22, "exact_test").draws();
  ScratchVector<uint32_t> chosen;
  const auto wrong = testing::dense_kernel<double>(rows, 0.5);
  EXPECT_LT(p_value(wrong, 8, 3, 20000,
                    [&] {
                      chosen.clear();
                      sampler.draw(draws, chosen);
                      return 1U << chosen[0] | 1U << chosen[1] | 1U << chosen[2];
                    }),
            1e-6);
}

TEST(ExactKdpp, WorkedExample) {
  // Items 0, 2, 3, 5 of the example with the penalty against {4, 1}.
  const std::vector<float> items = {0.9F, 0.1F, -0.6F, 0.7F, 0.3F, -0.5F, -0.2F, -0.9F};
  const std::vector<float> hard = {1.2F, -0.4F, 0.4F, 0.8F};
  const VectorTable table{items.data(), 4, 2, 2};
  const auto q = dpp_penalty(table, {hard.data(), 2, 2, 2});
  const std::vector<uint32_t> ids = {0, 1, 2, 3};
  const auto check = [&](std::span<const double> quality, const std::vector<double>& expected) {
    FeatureRows rows;
    rows.pack(table, ids, quality, true);
    const auto kernel = testing::dense_kernel<double>(rows, 0);
    // Masks ascend: {0,2} {0,3} {2,3} {0,5} {2,5} {3,5}.
    const auto p = testing::subset_probabilities(kernel, 4, 2);
    for (size_t s = 0; s < 6; ++s) EXPECT_NEAR(p[s], expected[s], 1e-6);
    EXPECT_GT(p_value_of_exact(rows, 2, 0, kDraws), 1e-3);
    return DualSpectrum(rows).values();
  };
  const auto values = check(q, {.0255037, .0159886, .0109797, .0450706, .6522828, .2501747});
  EXPECT_NEAR(values[0], 3.5883166, 1e-6);
  EXPECT_NEAR(values[1], .8567576, 1e-6);
  const ElementarySymmetric symmetric(values, 2);
  EXPECT_NEAR(std::exp(symmetric.log_total(2)), 3.0743176, 1e-6);
  check({}, {.1925982, .2330110, .0079027, .2524691, .1804541, .1335649});
}

// P(i in S) = sum_r x_r(i)^2 lambda_r e_{k-1}(without r) / e_k over the eigenvectors of K.
TEST(ExactKdpp, InclusionProbabilitiesOfSixtyRows) {
  const size_t n = 60, k = 6;
  const FeatureRows rows = normal_rows(n, 12, 34, true);
  const double jitter = 0.01;
  const auto kernel = testing::dense_kernel<double>(rows, jitter);
  const SymmetricEigen eigen = symmetric_eigen(kernel.data(), n, n);
  const double total = ElementarySymmetric(eigen.values, k).log_total(k);
  std::vector<double> expected(n, 0);
  for (size_t r = 0; r < n; ++r) {
    std::vector<double> others = eigen.values;
    others.erase(others.begin() + static_cast<ptrdiff_t>(r));
    const double share = std::exp(std::log(eigen.values[r]) +
                                  ElementarySymmetric(others, k - 1).log_total(k - 1) - total);
    for (size_t i = 0; i < n; ++i)
      expected[i] += share * eigen.vectors[r * n + i] * eigen.vectors[r * n + i];
  }
  const DualSpectrum spectrum(rows);
  ExactKdpp sampler(rows, spectrum, k, jitter);
  Draws draws = Random(23, "exact_test").draws();
  std::vector<double> counts(n, 0);
  constexpr int kCount = 20000;
  ScratchVector<uint32_t> chosen;
  for (int t = 0; t < kCount; ++t) {
    chosen.clear();
    sampler.draw(draws, chosen);
    for (const uint32_t row : chosen) ++counts[row];
  }
  for (size_t i = 0; i < n; ++i)
    EXPECT_NEAR(counts[i] / kCount, expected[i],
                5 * std::sqrt(expected[i] * (1 - expected[i]) / kCount))
        << i;
}

TEST(DppExact, PoliciesAndOddInputs) {
  const std::vector<float> v = {1, 0, 0, 1, 1, 1, 0, 0, 2, -1};
  const VectorTable table{v.data(), 5, 2, 2};
  DppConfig config;
  EXPECT_EQ(dpp_exact(table, {}, 9, 1, config).items.size(), 5U);
  config.rank_policy = RankPolicy::kStop;
  EXPECT_EQ(dpp_exact(table, {}, 9, 1, config).items.size(), 2U);
  config.rank_policy = RankPolicy::kRounds;
  const DppSelection rounds = dpp_exact(table, {}, 9, 1, config);
  EXPECT_EQ(std::set<uint32_t>(rounds.items.begin(), rounds.items.end()).size(), 5U);
  EXPECT_EQ(rounds.items.back(), 3U);  // the zero vector
  EXPECT_TRUE(dpp_exact({}, {}, 3, 1).items.empty());
  EXPECT_EQ(dpp_exact(table, {}, 3, 5).items, dpp_exact(table, {}, 3, 5).items);
}

}  // namespace
}  // namespace divns
