// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "samplers/sampler.h"

namespace divns {

// Stochastic sampling by scores: a score network learns how embeddings are distributed; a uniform
// negative is noised and brought back by it, taking in some of the positive at every step, and the
// result, a vector of its own, is the negative. Noised vectors and what they come back to are also
// two views of every user and item of the batch for a contrastive loss.
std::unique_ptr<Sampler> make_scone();

}  // namespace divns
