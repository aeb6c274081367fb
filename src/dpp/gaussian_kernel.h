// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "divns/vectors.h"

namespace divns {

// K_ij = q_i q_j exp(-|x_i - x_j|^2 / (2 bandwidth^2)), n x n, row after row, for the dense engines
// of divns/dpp.h. Bandwidth 0 stands for half the median distance; empty `quality` for all 1.
std::vector<double> gaussian_kernel(const VectorTable& points, std::span<const double> quality,
                                    double bandwidth);

}  // namespace divns
