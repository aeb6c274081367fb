// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "divns/sampler.h"

namespace divns {

// Adaptive hardness: of n candidates, take the one whose score is nearest to
//   beta (s(u, positive) + alpha)^(p + 1),
// so that for p < -1 a positive with a high score gets an easier negative. Ties go to the first.
std::unique_ptr<Sampler> make_ahns();

// The target score. Empty if it is infinite; then the first candidate is taken. A fractional power
// needs a positive base, so the base is at least 1e-12.
std::optional<double> ahns_target(double positive_score, double alpha, double beta, double p);

}  // namespace divns
