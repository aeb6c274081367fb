// SPDX-License-Identifier: Apache-2.0
#include "train/early_stopping.h"

#include <gtest/gtest.h>

namespace divns {
namespace {

TEST(EarlyStopping, ATieCountsAsAnImprovement) {
  EarlyStopping stopping(10);
  EXPECT_TRUE(stopping.observe(0, 0.5));
  EXPECT_FALSE(stopping.observe(1, 0.4));
  EXPECT_TRUE(stopping.observe(2, 0.5));
  EXPECT_EQ(stopping.best_epoch(), 2U);
}

TEST(EarlyStopping, StopsWhenPatienceHasPassed) {
  EarlyStopping stopping(3);
  EXPECT_FALSE(stopping.should_stop());
  stopping.observe(4, 0.5);
  stopping.observe(6, 0.4);
  EXPECT_FALSE(stopping.should_stop());
  stopping.observe(7, 0.4);
  EXPECT_TRUE(stopping.should_stop());
}

}  // namespace
}  // namespace divns
