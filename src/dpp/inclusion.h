// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "dpp/exact.h"
#include "dpp/feature_rows.h"

namespace divns {

// P(i in S) for every row i under the k-DPP of K = B B^T, k <= spectrum.rank():
//   sum_r x_r(i)^2 lambda_r e_(k-1)(lambda without r) / e_k(lambda),
// with x_r the eigenvectors of K. They sum to k.
std::vector<double> kdpp_inclusion(const FeatureRows& rows, const DualSpectrum& spectrum, size_t k);

}  // namespace divns
