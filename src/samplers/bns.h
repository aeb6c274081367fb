// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// Bayesian negative sampling. Of n candidates l, take the one with the smallest expected risk
//   info(l) (1 - (1 + lambda) unbias(l)),   info(l) = 1 - sigmoid(s(u, i) - s(u, l)),
// where unbias(l) is the posterior probability that l is a true negative. With the prior
// P(l) = c_l / pairs of a false negative, and F the distribution function of the user's scores,
//   unbias(l) = (1 - F)(1 - P) / (1 - F - P + 2 F P),   F = F(s(u, l)).
std::unique_ptr<Sampler> make_bns();

double bns_unbias(double rank, double prior);

}  // namespace divns
