// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/parallel.h"
#include "linalg/panel_matrix.h"

namespace divns {

// Replaces a symmetric positive definite matrix by its inverse, in place. Of the given one only the
// tiles on and below the diagonal are read; the result is whole, and symmetric to the bit. False if
// it is not positive definite, or too nearly so for float32; the contents are then unspecified.
//
// n^3 floating-point operations, as a Cholesky factorisation and its inversion would take, but all
// of them in products of square tiles that wait for nothing within a step: the same bits for any
// number of threads. `on_progress` hears the share that is done.
bool invert_positive_definite(PanelMatrix& a, const Executor& executor,
                              const std::function<void(double)>& on_progress = {});

}  // namespace divns
