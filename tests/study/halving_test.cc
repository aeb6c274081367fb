// SPDX-License-Identifier: Apache-2.0
#include "study/halving.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace divns {
namespace {

using Values = std::vector<std::optional<double>>;

TEST(Halving, BudgetByHand) {
  const HalvingPlan plan;  // 27 trials, rungs 11, 31, 91, a third goes on
  EXPECT_EQ(plan.trials_at(0), 27U);
  EXPECT_EQ(plan.trials_at(1), 9U);
  EXPECT_EQ(plan.trials_at(2), 3U);
  EXPECT_EQ(plan.trials_at(9), 1U);
  EXPECT_EQ(plan.epochs(), 27U * 11 + 9U * 20 + 3U * 60);
}

TEST(Halving, TheHighestGoOnAndTiesToTheFirst) {
  EXPECT_EQ(promote(Values{0.1, 0.3, 0.2, 0.4}, 2), (std::vector<size_t>{1, 3}));
  EXPECT_EQ(promote(Values{0.2, 0.2, 0.2}, 2), (std::vector<size_t>{0, 1}));
  EXPECT_EQ(promote(Values{std::nullopt, 0.0, -1.0}, 2), (std::vector<size_t>{1, 2}));
  EXPECT_EQ(promote(Values{0.5}, 3), (std::vector<size_t>{0}));
}

TEST(Halving, RungsAscendAndComeAfterAValidation) {
  EXPECT_NO_THROW(check_plan({}, 6));
  EXPECT_ERROR(check_plan({.rungs = {11, 11}}, 6), "larger than the one before");
  EXPECT_ERROR(check_plan({.rungs = {5, 11}}, 6), "first validation only after 6");
  EXPECT_ERROR(check_plan({.rungs = {}}, 6), "rungs is empty");
}

}  // namespace
}  // namespace divns
