// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/fitted_model.h"

namespace divns {

// EASE: every item's column of X is explained by the other items, by ridge regression,
//   min_B |X - X B|^2 + l2 |B|^2  with diag(B) = 0,
// whose solution is B_ij = -P_ij / P_jj with P = (X^T X + l2 I)^-1. Scores of a user are the row of
// X B. B is items x items and kept in float32.
std::unique_ptr<FittedModel> make_ease();

}  // namespace divns
