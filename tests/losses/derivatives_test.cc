// SPDX-License-Identifier: Apache-2.0
// Every loss on given scores: its value against the formula in float64, its derivative by every
// score against central differences, and what holds for extreme scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "divns/random.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/loss_cases.h"

namespace divns {
namespace {

using testing::LossCase;
using testing::OwnedInteractions;
using testing::ReferenceScores;

// Users own 1 to 5 of 40 items.
const OwnedInteractions& loss_train() {
  static const OwnedInteractions train({{0}, {1, 2}, {3, 4, 5}, {6, 7, 8, 9}, {1, 2, 3, 4, 5}}, 40);
  return train;
}

LossContext context_of(const LossCase& c, int negatives) {
  return {
      .train = loss_train().view(), .negatives = negatives, .batch_size = 6, .cosine = c.cosine};
}

struct ScoreRows {
  size_t each = 1;
  std::vector<uint32_t> users = {0, 1, 1, 3, 4, 1};
  std::vector<float> positives;
  std::vector<float> negatives;
  std::vector<float> importance;
  std::vector<float> row_weights;
  float share = 0.25F;

  // Scores lie on a grid, so that a step of the differences is exact in float32 and no loss has a
  // kink within it.
  ScoreRows(size_t negatives_per_row, bool weighted, double most) : each(negatives_per_row) {
    Draws draws = Random(11, "scores").draws();
    const auto on_grid = [&](double offset) {
      const double x = std::floor((2 * draws.uniform() - 1) * most * 128);
      return static_cast<float>((x + offset) / 128);
    };
    for (size_t r = 0; r < users.size(); ++r) positives.push_back(on_grid(0.25));
    for (size_t n = 0; n < users.size() * each; ++n) negatives.push_back(on_grid(0));
    if (!weighted) return;
    for (size_t r = 0; r < users.size(); ++r) {
      row_weights.push_back(0.5F + draws.uniform_float());
      float sum = 0;
      for (size_t k = 0; k < each; ++k) {
        importance.push_back(0.1F + draws.uniform_float());
        sum += importance.back();
      }
      for (size_t k = 0; k < each; ++k) importance[r * each + k] /= sum;
    }
  }
  LossInput input() const {
    return {.negatives_per_row = each,
            .positive_scores = positives,
            .negative_scores = negatives,
            .users = users,
            .importance = importance,
            .row_weights = row_weights,
            .share = share};
  }
  ReferenceScores reference() const {
    ReferenceScores scores{.users = users,
                           .positives = {positives.begin(), positives.end()},
                           .negatives = {},
                           .importance = importance,
                           .row_weights = row_weights};
    for (size_t r = 0; r < users.size(); ++r) {
      const auto begin = negatives.begin() + static_cast<ptrdiff_t>(r * each);
      scores.negatives.emplace_back(begin, begin + static_cast<ptrdiff_t>(each));
    }
    return scores;
  }
};

struct LossResult {
  std::vector<double> losses;
  std::vector<float> positive_slopes;
  std::vector<float> negative_slopes;

  // Filled with values that a loss must overwrite.
  explicit LossResult(const LossInput& in)
      : losses(in.rows(), 1e30),
        positive_slopes(in.rows(), 1e30F),
        negative_slopes(in.negative_scores.size(), 1e30F) {}
  double total() const {
    double sum = 0;
    for (const double loss : losses) sum += loss;
    return sum;
  }
};

LossResult result_of(const Loss& loss, const LossInput& in) {
  LossResult result(in);
  loss.rows(in, {result.losses, result.positive_slopes, result.negative_slopes});
  return result;
}

class EveryLoss : public ::testing::TestWithParam<LossCase> {};

TEST_P(EveryLoss, HasTheValueOfItsFormulaAndTheSlopesOfFiniteDifferences) {
  const LossCase& c = GetParam();
  for (const size_t each : {size_t{1}, size_t{5}})
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(::testing::Message() << each << " negatives, weighted " << weighted);
      const auto loss = c.make();
      loss->start(context_of(c, 5));
      ScoreRows rows(each, weighted, c.cosine ? 1 : 2);
      if (!c.takes_importance) rows.importance.clear();
      const LossResult result = result_of(*loss, rows.input());
      const double expected = c.reference(rows.reference(), loss_train().view());
      EXPECT_NEAR(result.total(), expected, 1e-6 * std::max(1.0, std::abs(expected)));

      constexpr float kStep = 0x1p-14F;
      const auto difference = [&](float& score) {
        const float kept = score;
        score = kept + kStep;
        const double above = result_of(*loss, rows.input()).total();
        score = kept - kStep;
        const double below = result_of(*loss, rows.input()).total();
        score = kept;
        return double{rows.share} * (above - below) / (2 * double{kStep});
      };
      for (size_t r = 0; r < rows.positives.size(); ++r)
        EXPECT_NEAR(result.positive_slopes[r], difference(rows.positives[r]), 2e-6) << r;
      for (size_t n = 0; n < rows.negatives.size(); ++n)
        EXPECT_NEAR(result.negative_slopes[n], difference(rows.negatives[n]), 2e-6) << n;
    }
}

// How a batch is cut into calls must not matter.
TEST_P(EveryLoss, GivesTheSameForEveryCutIntoCalls) {
  const LossCase& c = GetParam();
  const auto loss = c.make();
  loss->start(context_of(c, 3));
  ScoreRows rows(3, true, 1);
  if (!c.takes_importance) rows.importance.clear();
  const LossResult whole = result_of(*loss, rows.input());
  // Rows 1, 2 and 5 are of one user.
  const std::vector<std::vector<size_t>> cuts =
      loss->joins_users() ? std::vector<std::vector<size_t>>{{0, 3, 4}, {1, 2, 5}}
                          : std::vector<std::vector<size_t>>{{0}, {1, 2, 3}, {4, 5}};
  for (const auto& cut : cuts) {
    ScoreRows part = rows;
    part.users.clear();
    part.positives.clear();
    part.negatives.clear();
    part.importance.clear();
    part.row_weights.clear();
    for (const size_t r : cut) {
      part.users.push_back(rows.users[r]);
      part.positives.push_back(rows.positives[r]);
      part.row_weights.push_back(rows.row_weights[r]);
      for (size_t n = 3 * r; n < 3 * r + 3; ++n) {
        part.negatives.push_back(rows.negatives[n]);
        if (!rows.importance.empty()) part.importance.push_back(rows.importance[n]);
      }
    }
    const LossResult result = result_of(*loss, part.input());
    for (size_t i = 0; i < cut.size(); ++i) {
      EXPECT_EQ(result.losses[i], whole.losses[cut[i]]);
      EXPECT_EQ(result.positive_slopes[i], whole.positive_slopes[cut[i]]);
      for (size_t k = 0; k < 3; ++k)
        EXPECT_EQ(result.negative_slopes[3 * i + k], whole.negative_slopes[3 * cut[i] + k]);
    }
  }
}

TEST_P(EveryLoss, IsFiniteForAnyFiniteScores) {
  const LossCase& c = GetParam();
  auto loss = c.make();
  loss->start(context_of(c, 5));
  constexpr float kMost = std::numeric_limits<float>::max();
  for (const float positive : {-kMost / 4, -1e4F, -1.0F, 0.0F, 1e-30F, 90.0F, 1e4F, kMost / 4})
    for (const float negative : {-kMost / 4, -1e4F, -90.0F, 0.0F, 1.0F, 1e4F, kMost / 4}) {
      ScoreRows rows(5, false, 1);
      std::fill(rows.positives.begin(), rows.positives.end(), positive);
      for (size_t n = 0; n < rows.negatives.size(); n += 2) rows.negatives[n] = negative;
      rows.positives[2] = -positive;
      const LossResult result = result_of(*loss, rows.input());
      for (const double value : result.losses) EXPECT_TRUE(std::isfinite(value));
      for (const float slope : result.positive_slopes) EXPECT_TRUE(std::isfinite(slope));
      for (const float slope : result.negative_slopes) EXPECT_TRUE(std::isfinite(slope));
    }
}

// A zero weight removes a negative; equal weights change nothing where the loss says so.
TEST_P(EveryLoss, HonoursImportanceWeights) {
  const LossCase& c = GetParam();
  if (!c.takes_importance) return;  // see LossRefusals
  const auto loss = c.make();
  loss->start(context_of(c, 2));
  ScoreRows two(2, false, 1);
  for (size_t r = 0; r < two.users.size(); ++r) {
    two.importance.push_back(0);
    two.importance.push_back(1);
  }
  const LossResult with_zero = result_of(*loss, two.input());
  for (size_t r = 0; r < two.users.size(); ++r) two.negatives[2 * r] = 50;
  EXPECT_EQ(result_of(*loss, two.input()).losses, with_zero.losses);
  for (size_t r = 0; r < two.users.size(); ++r) EXPECT_EQ(with_zero.negative_slopes[2 * r], 0);

  if (c.loss == "bpr") return;  // its two forms differ
  ScoreRows four(4, false, 1);
  const LossResult plain = result_of(*loss, four.input());
  four.importance.assign(four.negatives.size(), 0.25F);
  const LossResult equal = result_of(*loss, four.input());
  for (size_t r = 0; r < four.users.size(); ++r)
    EXPECT_NEAR(equal.losses[r], plain.losses[r], 1e-6);
  for (size_t n = 0; n < four.negatives.size(); ++n)
    EXPECT_NEAR(equal.negative_slopes[n], plain.negative_slopes[n], 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryLoss, ::testing::ValuesIn(testing::loss_cases()),
                         [](const auto& each) { return each.param.label; });

TEST(LossCases, CoverTheRegistry) {
  for (const LossEntry& entry : losses()) {
    if (!entry.make()->needs_negatives()) continue;
    const auto cases = testing::loss_cases();
    EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const LossCase& c) {
      return c.loss == entry.name;
    })) << entry.name;
  }
}

TEST(LossOptions, HaveTuningRanges) {
  for (const LossEntry& entry : losses()) {
    Options options;
    const auto loss = entry.make();
    loss->declare(options);
    for (const Option& option : options.all()) {
      EXPECT_EQ(option.owner(), entry.name);
      if (option.is_flag() || !option.choice_names().empty()) continue;
      EXPECT_NE(option.tune_range().scale, TuneRange::Scale::kNone) << option.name();
    }
  }
}

TEST(LossRefusals, SayWhatToChange) {
  const Interactions train = loss_train().view();
  const auto start = [](const char* name, const LossContext& context) {
    find_loss(name).make()->start(context);
  };
  EXPECT_ERROR(start("ccl", {.train = train, .negatives = 4}), "similarity = cosine");
  EXPECT_ERROR(start("softmax", {.train = train, .negatives = 1}), "negatives to at least 2");
  EXPECT_ERROR(start("warp", {.train = train, .negatives = 4, .weighted_negatives = true}),
               "weighted");
}

}  // namespace
}  // namespace divns
