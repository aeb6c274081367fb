// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "samplers/sampler.h"

namespace divns {

// MixGCF: a negative made hop by hop. With alpha_l uniform in [0, 1), drawn for each negative and
// hop, the vector of hop l is
//   alpha_l e_pos^(l) + (1 - alpha_l) e_j^(l),  j = argmax over the n candidates of q . e_j^(l),
// q being the user's pooled vector. The positive's share is the same for every candidate, so the
// choice can be made before mixing.
std::unique_ptr<Sampler> make_mixgcf();

}  // namespace divns
