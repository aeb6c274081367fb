// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace divns {

// Scores of one row: inner products of the user with the relevant part (r) and the irrelevant part
// (ir) of its positive and its negatives.
struct ContrastiveScores {
  double positive_relevant = 0;
  double positive_rest = 0;
  std::vector<double> negative_relevant;  // K
  std::vector<double> negative_rest;
};

// The four terms of the DENS loss. The relevant part of the positive scores above its irrelevant
// part, for a negative it is the reverse; the relevant part of the positive scores above that of a
// negative, the irrelevant part below:
//   log(1 + exp(p_ir - p_r)),             log(1 + sum_k exp(n_r_k - n_ir_k)),
//   log(1 + sum_k exp(n_r_k - p_r)),      log(1 + sum_k exp(p_ir - n_ir_k)).
struct ContrastiveLoss {
  double terms[4] = {};
  ContrastiveScores slopes;  // derivatives of the mean of the four terms

  double mean() const { return (terms[0] + terms[1] + terms[2] + terms[3]) / 4; }
};

// The memory of `out` is reused from call to call.
void contrastive_loss(const ContrastiveScores& scores, ContrastiveLoss& out);

}  // namespace divns
