// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/fitted_model.h"

namespace divns {

// EASE: each column of X is regressed on the other columns by ridge regression,
//   min_B |X - X B|^2 + l2 |B|^2  with diag(B) = 0.
// The solution is B_ij = -P_ij / P_jj with P = (X^T X + l2 I)^-1. The scores of a user are a row of
// X B. B is items x items, in float32.
std::unique_ptr<FittedModel> make_ease();

}  // namespace divns
