// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// SCONE: a score network learns the distribution of the embeddings. A uniform negative is noised
// and denoised with the network; every step mixes in some of the positive. The result is a vector,
// not an item, and is the negative. Noised and denoised vectors are also the two views of every
// user and item of the batch in a contrastive loss.
std::unique_ptr<Sampler> make_scone();

}  // namespace divns
