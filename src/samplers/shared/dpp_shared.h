// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// A k-DPP chooses the M shared negatives of a batch from a uniform pool of items, by the inner
// products of their unit vectors: an exact draw, P(S) proportional to det of the Gram matrix of S.
// An item has the weight 1 / chance, where the chance is its exact probability of being chosen from
// the pool, so that sums over the set estimate sums over the pool without bias (up to the common
// normalisation of the weights).
std::unique_ptr<Sampler> make_dpp_shared();

}  // namespace divns
