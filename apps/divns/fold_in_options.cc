// SPDX-License-Identifier: Apache-2.0
#include "fold_in_options.h"

namespace divns::app {

void declare_fold_in(FoldInOptions& fold, Options& options) {
  options.add_choice(
      "fold_in", fold.method,
      {{"ridge", FoldInOptions::Method::kRidge}, {"gradient", FoldInOptions::Method::kGradient}},
      "how a new user gets a vector");
  options.add("fold_in_ridge", fold.ridge, "ridge: weight that pulls a new user's vector towards 0")
      .above(0);
  options
      .add("fold_in_unobserved", fold.unobserved,
           "ridge: weight that pulls the score of every item towards 0")
      .range(0);
  options.add("fold_in_steps", fold.steps, "gradient: passes over the history").range(0, 1e6);
  options.add("fold_in_rate", fold.learning_rate, "gradient: learning rate").above(0);
  options.add("fold_in_l2", fold.l2, "gradient: weight of the L2 penalty").range(0);
  options.add("seed", fold.seed, "gradient: seed of the negatives");
}

}  // namespace divns::app
