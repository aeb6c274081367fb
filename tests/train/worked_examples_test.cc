// SPDX-License-Identifier: Apache-2.0
// Small numbers that can be checked by hand: the loss, its gradients and Adam on six items.
#include <gtest/gtest.h>

#include <cmath>

#include "models/mf.h"
#include "support/interactions.h"
#include "support/losses.h"
#include "support/worked_example.h"
#include "train/batch_gradients.h"
#include "train/early_stopping.h"
#include "train/initialise.h"
#include "train/optimizer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;

class WorkedExample : public ::testing::Test {
 protected:
  WorkedExample() : model_(make_mf()) {
    model_->start({data_.view(), executor_, 2});
    for (uint32_t u = 0; u < 3; ++u)
      std::copy_n(testing::kExampleUsers[u], 2, model_->user_parameters().row(u));
    for (uint32_t i = 0; i < 6; ++i)
      std::copy_n(testing::kExampleItems[i], 2, model_->item_parameters().row(i));
  }
  double loss(const std::vector<uint32_t>& users, const std::vector<uint32_t>& positives,
              const std::vector<uint32_t>& negative_items, double l2) {
    const Batch batch{.users = users, .positives = positives};
    negatives_.reset(users.size(), negative_items.size() / users.size(), 1);
    for (size_t n = 0; n < negative_items.size(); ++n) negatives_.terms[n].item = negative_items[n];
    gradients_ = std::make_unique<BatchGradients>(ObjectiveOptions{.l2 = l2},
                                                  testing::default_loss(), 3, 6, 2, 1, executor_);
    gradients_->score(batch, negatives_, model_->view());
    gradients_->accumulate(batch, negatives_, model_->view(), {});
    return gradients_->loss();
  }

  const Executor executor_{1};
  const OwnedInteractions data_{{{0, 1}, {2}, {3, 5}}, 6};
  std::unique_ptr<Model> model_;
  Negatives negatives_;
  std::unique_ptr<BatchGradients> gradients_;
};

TEST_F(WorkedExample, LossOfABatch) {
  EXPECT_NEAR(loss({0, 1, 2}, {0, 2, 3}, {4, 1, 5}, 0), .6802200, 1e-7);
  EXPECT_NEAR(loss({0, 1, 2}, {0, 2, 3}, {4, 1, 5}, 1e-4), .6803606, 1e-7);
  EXPECT_NEAR(loss({0}, {0}, {4, 5}, 0), .8123371, 1e-7);
}

TEST_F(WorkedExample, GradientsOfATripleAndTwoStepsOfAdam) {
  loss({0}, {0}, {4}, 0);
  const float* user = gradients_->users().pooled.row(0);
  EXPECT_NEAR(user[0], .1537492, 1e-7);
  EXPECT_NEAR(user[1], -.2562487, 1e-7);
  EXPECT_NEAR(gradients_->items().pooled.row(0)[0], -.5124974, 1e-7);
  EXPECT_NEAR(gradients_->items().pooled.row(0)[1], -.2562487, 1e-7);
  EXPECT_NEAR(gradients_->items().pooled.row(1)[0], .5124974, 1e-7);

  Optimizer optimizer({}, {&model_->user_parameters()}, executor_);
  const std::vector<uint32_t> rows = {0};
  optimizer.begin_step();
  optimizer.step_rows(0, rows, gradients_->users().pooled);
  EXPECT_NEAR(model_->user_parameters().row(0)[0], .9990000, 1e-7);
  EXPECT_NEAR(model_->user_parameters().row(0)[1], .5010000, 1e-7);
  Table second(1, 2);
  second.row(0)[0] = .2F;
  second.row(0)[1] = -.1F;
  optimizer.begin_step();
  optimizer.step_rows(0, rows, second);
  EXPECT_NEAR(model_->user_parameters().row(0)[0], .9980017, 1e-7);
  EXPECT_NEAR(model_->user_parameters().row(0)[1], .5018948, 1e-7);
}

TEST(Loss, StaysFiniteForAnyScores) {
  for (const float x : {-1e4F, -90.0F, 0.0F, 90.0F, 1e4F}) {
    std::vector<float> one = {x};
    const double loss = testing::bpr_row(one, {}, one);
    EXPECT_NEAR(loss, x > 50 ? double{x} : std::log1p(std::exp(double{x})), 1e-6);
    EXPECT_TRUE(one[0] >= 0 && one[0] <= 1);
    std::vector<float> three = {x, x, -x};
    EXPECT_TRUE(std::isfinite(testing::bpr_row(three, {}, three)));
    for (const float slope : three) EXPECT_TRUE(slope >= 0 && slope <= 1);
  }
}

TEST(Loss, WeightedSumOfSoftpluses) {
  // Six-item example: user 0, positive 0, negatives 2, 4, 5, differences -1.2, .05, -1.6.
  std::vector<float> x = {-1.2F, .05F, -1.6F};
  const std::vector<float> importance = {.1937736F, .6763362F, .1298903F};
  EXPECT_NEAR(testing::bpr_row(x, importance, x), .5608243, 1e-6);
}

TEST(Initialise, XavierBoundsByTable) {
  const Executor executor(2);
  for (const auto& [rows, dim, bound] :
       {std::tuple(6040U, 64U, .0313522), {3706U, 64U, .0398938}, {3U, 2U, 1.0954451}}) {
    Table table(rows, dim);
    initialise(table, {}, "init.test", executor);
    double most = 0;
    double sum = 0;
    for (uint32_t i = 0; i < rows; ++i)
      for (uint32_t k = 0; k < dim; ++k) {
        most = std::max(most, std::abs(double{table.row(i)[k]}));
        sum += double{table.row(i)[k]};
      }
    EXPECT_LE(most, bound + 1e-7);
    if (rows < 100) continue;
    EXPECT_GT(most, 0.999 * bound);
    // Standard error of the mean is bound / sqrt(3 n).
    const double n = static_cast<double>(rows) * dim;
    EXPECT_LT(std::abs(sum / n), 4 * bound / std::sqrt(3 * n));
  }
}

TEST(EarlyStopping, TiesCountAsBetter) {
  EarlyStopping stopping(3);
  const double values[] = {.1, .2, .2, .19, .18, .2, .15, .14, .13};
  for (uint32_t epoch = 0; epoch < 9; ++epoch) {
    EXPECT_FALSE(stopping.should_stop()) << epoch;
    stopping.observe(epoch, values[epoch]);
  }
  EXPECT_TRUE(stopping.should_stop());
  EXPECT_EQ(stopping.best(), .2);
  EXPECT_EQ(stopping.best_epoch(), 5U);
}

}  // namespace
}  // namespace divns
