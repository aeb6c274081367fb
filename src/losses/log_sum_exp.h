// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "losses/loss_row.h"

namespace divns {

// log sum_k exp(s_k / tau) over the negatives of a row, for softmax losses. With importance weights
// a_k it is log sum_k K a_k exp(s_k / tau): the weighted mean of the exponentials replaces their
// plain mean.
struct LogSum {
  double value = 0;
  double positive_share = 0;  // of the positive's term in the sum; 0 if it is not in the sum
};

// Writes the share of each negative's term in the sum, tau d value / d s_k, to the row's slopes.
// Finite for any finite scores.
LogSum log_sum_exp(LossRow& row, double temperature, bool with_positive);

}  // namespace divns
