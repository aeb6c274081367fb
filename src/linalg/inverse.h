// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "divns/parallel.h"
#include "linalg/panel_matrix.h"

namespace divns {

// Replaces a symmetric positive definite matrix by its inverse, in place. Only the tiles on and
// below the diagonal are read; the result is stored in full and exactly symmetric. Returns false if
// the matrix is not positive definite to float32 precision; the contents are then unspecified.
//
// Takes n^3 floating-point operations, as a Cholesky factorisation with inversion would, but all of
// them in products of square tiles that are independent within a step. The bits are the same for
// any number of threads. `on_progress` is called with the share of the work that is done.
bool invert_positive_definite(PanelMatrix& a, const Executor& executor,
                              const std::function<void(double)>& on_progress = {});

}  // namespace divns
