// SPDX-License-Identifier: Apache-2.0
// Implicit alternating least squares: vectors w_u and h_i that minimise
//
//   sum over pairs (u, i) of train  (1 - w_u . h_i)^2
//   + alpha0 * sum over all users and items  (w_u . h_i)^2
//   + l2 * ( sum_u (|I_u| + alpha0 |I|)^nu |w_u|^2  +  sum_i (|U_i| + alpha0 |U|)^nu |h_i|^2 ).
//
// With one side fixed, the other is one linear system per row, solved exactly.
#pragma once

#include <memory>

#include "divns/table.h"
#include "models/fitted_model.h"

namespace divns {

struct IalsOptions {
  int factors = 64;
  int epochs = 40;
  double alpha0 = 0.1;
  double l2 = 0.1;
  double nu = 0.5;
  double init_std = 0.1;
  int patience = 3;

  void declare(Options& options);
};

// One half-step: row r of `solved` becomes the minimiser with `fixed` unchanged. Row r of `pairs`
// lists the rows of `fixed` that it occurs with; without any, the vector is zero.
void solve_ials_rows(const IalsOptions& options, const Interactions& pairs, const Table& fixed,
                     Table& solved, const Executor& executor);

std::unique_ptr<FittedModel> make_ials();

}  // namespace divns
