// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "samplers/sampler.h"

namespace divns {

// Adaptive hardness: of n candidates, the one whose score is nearest to
//   beta (s(u, positive) + alpha)^(p + 1),
// so that for p < -1 a positive that scores high gets an easier negative. The first of equals is
// taken.
std::unique_ptr<Sampler> make_ahns();

// The score aimed at; nothing where it is infinite, and then the first candidate is taken. A
// fractional power needs a positive base: anything below 1e-12 counts as that.
std::optional<double> ahns_target(double positive_score, double alpha, double beta, double p);

}  // namespace divns
