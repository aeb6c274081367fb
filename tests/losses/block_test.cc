// SPDX-License-Identifier: Apache-2.0
// Losses over a block of scores: the fast forms against Loss::block, which gives the rows one by
// one to rows(), and against the formulas in float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "divns/random.h"
#include "support/interactions.h"
#include "support/loss_cases.h"

namespace divns {
namespace {

using testing::LossCase;
using testing::OwnedInteractions;
using testing::ReferenceScores;

constexpr float kNone = -std::numeric_limits<float>::infinity();
constexpr size_t kBlockRows = 5;
constexpr size_t kBlockColumns = 29;
constexpr size_t kBlockStep = 32;

const OwnedInteractions& block_train() {
  static const OwnedInteractions train({{0}, {1, 2}, {3, 4, 5}, {6, 7, 8, 9}}, 60);
  return train;
}

// Scores, weights and results of a block.
struct OwnedBlock {
  std::vector<uint32_t> users = {0, 1, 1, 3, 2};
  std::vector<float> positives;
  std::vector<float> scores;
  std::vector<float> weights;
  std::vector<float> log_weights;
  std::vector<float> row_weights = {1, 0.5F, 2, 1, 0.25F};
  std::vector<uint32_t> counts;
  std::vector<double> weight_sums;
  std::vector<double> losses;
  std::vector<float> positive_slopes;

  OwnedBlock(bool weighted, float most) : losses(kBlockRows), positive_slopes(kBlockRows) {
    Draws draws = Random(5, "block").draws();
    const auto score = [&] { return most * (2 * draws.uniform_float() - 1); };
    for (size_t j = 0; weighted && j < kBlockColumns; ++j) {
      log_weights.push_back(2 * draws.uniform_float() - 1);
      weights.push_back(std::exp(log_weights.back()));
    }
    scores.assign(kBlockRows * kBlockStep, 0);
    for (size_t r = 0; r < kBlockRows; ++r) {
      positives.push_back(score());
      counts.push_back(0);
      weight_sums.push_back(0);
      for (size_t j = 0; j < kBlockColumns; ++j) {
        const bool masked = draws.below(4) == 0;
        scores[r * kBlockStep + j] = masked ? kNone : score();
        if (masked) continue;
        ++counts[r];
        weight_sums[r] += weighted ? double{weights[j]} : 1.0;
      }
    }
  }

  LossBlock block() {
    return {.columns = kBlockColumns,
            .step = kBlockStep,
            .positive_scores = positives,
            .scores = scores,
            .users = users,
            .counts = counts,
            .weights = weights,
            .log_weights = log_weights,
            .weight_sums = weight_sums,
            .row_weights = row_weights,
            .share = 0.25F,
            .losses = losses,
            .positive_slopes = positive_slopes};
  }

  // By the fast form, with what it leaves to block_positives().
  void apply(const Loss& loss) {
    loss.block(block());
    if (loss.joins_users())
      loss.block_positives({.negatives_per_row = 0,
                            .positive_scores = positives,
                            .negative_scores = {},
                            .users = users,
                            .row_weights = row_weights,
                            .share = 0.25F},
                           {losses, positive_slopes, {}});
  }
};

class EveryBlock : public ::testing::TestWithParam<LossCase> {
 protected:
  std::unique_ptr<Loss> started(bool weighted) const {
    auto loss = GetParam().make();
    loss->start({.train = block_train().view(),
                 .negatives = 1,
                 .batch_size = kBlockRows,
                 .cosine = GetParam().cosine,
                 .weighted_negatives = weighted,
                 .shared_negatives = true});
    return loss;
  }
};

TEST_P(EveryBlock, AgreesWithTheRowsOneByOne) {
  for (const bool weighted : {false, true})
    for (const float most : {1.0F, 30.0F}) {
      if (weighted && !GetParam().takes_importance) continue;
      const auto loss = started(weighted);
      if (loss->joins_users()) continue;
      OwnedBlock fast(weighted, most);
      OwnedBlock slow(weighted, most);
      fast.apply(*loss);
      loss->Loss::block(slow.block());
      for (size_t r = 0; r < kBlockRows; ++r) {
        EXPECT_NEAR(fast.losses[r], slow.losses[r], 2e-5 * (1 + std::abs(slow.losses[r])));
        EXPECT_NEAR(fast.positive_slopes[r], slow.positive_slopes[r], 1e-5);
        for (size_t j = 0; j < kBlockColumns; ++j)
          EXPECT_NEAR(fast.scores[r * kBlockStep + j], slow.scores[r * kBlockStep + j], 1e-5);
      }
    }
}

TEST_P(EveryBlock, HasTheSlopesOfTheFormula) {
  for (const bool weighted : {false, true}) {
    if (weighted && !GetParam().takes_importance) continue;
    const auto loss = started(weighted);
    OwnedBlock block(weighted, 1);
    const OwnedBlock given(weighted, 1);
    block.apply(*loss);
    // Rows one by one, because they have different numbers of negatives; the positives of all rows
    // where users are joined. `row` and `column` name a score that is moved, column -1 the
    // positive.
    const auto value = [&](size_t row, ptrdiff_t column, double step) {
      double sum = 0;
      std::vector<double> positives(given.positives.begin(), given.positives.end());
      if (column < 0) positives[row] += step;
      for (size_t r = 0; r < kBlockRows; ++r) {
        ReferenceScores one;
        one.users = {given.users[r]};
        one.positives = {positives[r]};
        one.row_weights = {given.row_weights[r]};
        one.negatives.emplace_back();
        for (size_t j = 0; j < kBlockColumns; ++j) {
          double score = double{given.scores[r * kBlockStep + j]};
          if (std::isinf(score)) continue;
          if (r == row && column == static_cast<ptrdiff_t>(j)) score += step;
          one.negatives[0].push_back(score);
          if (weighted)
            one.importance.push_back(
                static_cast<float>(double{given.weights[j]} / given.weight_sums[r]));
        }
        // With the same user's other positives, the rest of whose rows cancels.
        for (size_t other = 0; loss->joins_users() && other < kBlockRows; ++other)
          if (other != r && given.users[other] == given.users[r]) {
            one.users.push_back(given.users[other]);
            one.positives.push_back(positives[other]);
            one.row_weights.push_back(0);
            one.negatives.push_back(one.negatives[0]);
            one.importance.insert(
                one.importance.end(), one.importance.begin(),
                one.importance.begin() +
                    static_cast<ptrdiff_t>(weighted ? one.negatives[0].size() : 0));
          }
        sum += GetParam().reference(one, block_train().view());
      }
      return sum;
    };
    double total = 0;
    for (const double one : block.losses) total += one;
    EXPECT_NEAR(total, value(0, -1, 0), 2e-5 * (1 + std::abs(total)));
    constexpr double kStep = 1e-5;
    for (size_t r = 0; r < kBlockRows; ++r)
      for (ptrdiff_t column = -1; column < static_cast<ptrdiff_t>(kBlockColumns); ++column) {
        const double expected =
            0.25 * (value(r, column, kStep) - value(r, column, -kStep)) / (2 * kStep);
        const float found = column < 0 ? block.positive_slopes[r]
                                       : block.scores[r * kBlockStep + static_cast<size_t>(column)];
        EXPECT_NEAR(found, expected, 2e-5) << r << " " << column;
      }
  }
}

TEST_P(EveryBlock, IsFiniteForExtremeScores) {
  const auto loss = started(false);
  OwnedBlock block(false, 1e30F);
  block.apply(*loss);
  for (const double value : block.losses) EXPECT_TRUE(std::isfinite(value));
  for (size_t r = 0; r < kBlockRows; ++r)
    for (size_t j = 0; j < kBlockColumns; ++j)
      EXPECT_TRUE(std::isfinite(block.scores[r * kBlockStep + j]));
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryBlock, ::testing::ValuesIn(testing::loss_cases()),
                         [](const auto& each) { return each.param.label; });

}  // namespace
}  // namespace divns
