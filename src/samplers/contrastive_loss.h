// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace divns {

// Scores of one row, that is inner products with the user, of the relevant part (r) and the rest
// (ir) of its positive and its negatives.
struct ContrastiveScores {
  double positive_relevant = 0;
  double positive_rest = 0;
  std::vector<double> negative_relevant;  // K
  std::vector<double> negative_rest;
};

// The four wishes of DENS: the positive is liked for its relevant part, a negative is not, the
// relevant part of the positive is liked more than that of a negative, the rest less:
//   log(1 + exp(p_ir - p_r)),             log(1 + sum_k exp(n_r_k - n_ir_k)),
//   log(1 + sum_k exp(n_r_k - p_r)),      log(1 + sum_k exp(p_ir - n_ir_k)).
struct ContrastiveLoss {
  double terms[4] = {};
  ContrastiveScores slopes;  // derivatives of the mean of the four

  double mean() const { return (terms[0] + terms[1] + terms[2] + terms[3]) / 4; }
};

// `out` keeps its memory from call to call.
void contrastive_loss(const ContrastiveScores& scores, ContrastiveLoss& out);

}  // namespace divns
