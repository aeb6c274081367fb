// SPDX-License-Identifier: Apache-2.0
#include "study/search_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "divns/study.h"

namespace divns {
namespace {

const auto kAnything = [](const Settings&) { return true; };

std::vector<std::string> names(const std::vector<SearchAxis>& axes) {
  std::vector<std::string> result;
  for (const SearchAxis& axis : axes) result.push_back(axis.name);
  std::sort(result.begin(), result.end());
  return result;
}

TEST(SearchSpace, HoldsWhatTheRunLooksAt) {
  const std::vector<std::string> fixed = TuneOptions().fix;
  EXPECT_EQ(names(declared_space({"mf", "mf", "rns", "rns"}, fixed)),
            (std::vector<std::string>{"l2", "l2_negative", "learning_rate"}));
  EXPECT_EQ(names(declared_space({"mf", "mf", "divns", "divns", {{"l2", "0.1"}}}, fixed)),
            (std::vector<std::string>{"divns.cache_ratio", "divns.candidates", "divns.lambda",
                                      "l2_negative", "learning_rate"}));
  const auto all = names(declared_space({"mf", "mf", "rns", "rns"}, {}));
  EXPECT_EQ(all, (std::vector<std::string>{"embedding_dim", "l2", "l2_negative", "l2_positive",
                                           "l2_user", "learning_rate", "negatives"}));
  EXPECT_EQ(names(declared_space({"baselines", "ease", "ease", ""}, fixed)),
            (std::vector<std::string>{"ease.l2"}));
}

TEST(SearchSpace, ThePapersGrid) {
  const std::vector<SearchAxis> axes = paper_space({"mf", "mf", "divns", "divns"});
  EXPECT_EQ(names(axes), (std::vector<std::string>{"divns.cache_ratio", "divns.candidates",
                                                   "divns.lambda", "l2", "learning_rate"}));
  EXPECT_EQ(names(paper_space({"mf", "mf", "rns", "rns"})),
            (std::vector<std::string>{"l2", "learning_rate"}));
}

// Trials 1.. of an axis on a logarithmic scale: one in each stratum but that of trial 0, which is
// the row as it stands.
TEST(SearchSpace, EachAxisIsSpreadEvenly) {
  const std::vector<SearchAxis> axes = {{"l2", {TuneRange::Scale::kLog, 1e-6, 1, {}}},
                                        {"a.b", {TuneRange::Scale::kLinear, 0, 1, {}}}};
  constexpr size_t kTrials = 40;
  const std::vector<Settings> trials = draw_trials(axes, kTrials, 5, kAnything);
  ASSERT_EQ(trials.size(), kTrials);
  EXPECT_TRUE(trials[0].empty());
  for (size_t axis = 0; axis < 2; ++axis) {
    std::set<long> strata;
    for (size_t t = 1; t < kTrials; ++t) {
      const double value = std::stod(trials[t][axis].value);
      const double place = axis == 0 ? std::log10(value) / 6 + 1 : value;
      EXPECT_GE(place, -1e-3);
      EXPECT_LE(place, 1.001);
      strata.insert(std::lround(std::floor(place * kTrials)));
    }
    // Three digits of rounding may move a value over an edge.
    EXPECT_GE(strata.size(), kTrials - 4);
  }
}

TEST(SearchSpace, SharedAxesAreSharedAndSeedsDecide) {
  const SearchAxis l2{"l2", {TuneRange::Scale::kLog, 1e-6, 1, {}}};
  const SearchAxis n{"dns.candidates", {TuneRange::Scale::kLog, 2, 128, {}}, true};
  const SearchAxis lambda{"divns.lambda", {TuneRange::Scale::kLinear, 0, 1, {}}};
  const auto dns = draw_trials(std::vector{l2, n}, 20, 1, kAnything);
  const auto divns = draw_trials(std::vector{l2, lambda}, 20, 1, kAnything);
  for (size_t t = 1; t < 20; ++t) {
    EXPECT_EQ(dns[t][0], divns[t][0]);
    const double whole = std::stod(dns[t][1].value);
    EXPECT_EQ(whole, std::round(whole));
    EXPECT_GE(whole, 2);
    EXPECT_LE(whole, 128);
  }
  EXPECT_EQ(draw_trials(std::vector{l2, n}, 20, 1, kAnything), dns);
  EXPECT_NE(draw_trials(std::vector{l2, n}, 20, 2, kAnything), dns);
}

TEST(SearchSpace, RefusedAndRepeatedCombinationsAreDrawnAgain) {
  const std::vector<SearchAxis> axes = {{"a.m", {TuneRange::Scale::kList, 0, 0, {"1", "2", "4"}}},
                                        {"a.n", {TuneRange::Scale::kList, 0, 0, {"1", "2", "4"}}}};
  const auto accepts = [](const Settings& s) {
    return std::stoi(s[0].value) < std::stoi(s[1].value);
  };
  const std::vector<Settings> trials = draw_trials(axes, 30, 3, accepts);
  // (1, 2), (1, 4), (2, 4) and the row as it stands.
  EXPECT_EQ(trials.size(), 4U);
  for (size_t t = 1; t < trials.size(); ++t) {
    EXPECT_TRUE(accepts(trials[t]));
    EXPECT_EQ(std::count(trials.begin(), trials.end(), trials[t]), 1);
  }
  EXPECT_EQ(draw_trials({}, 30, 3, kAnything).size(), 1U);
}

}  // namespace
}  // namespace divns
