// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// MixGCF: the negative is composed hop by hop. With alpha_l uniform in [0, 1), drawn for each
// negative and hop, its vector at hop l is
//   alpha_l e_pos^(l) + (1 - alpha_l) e_j^(l),  j = argmax over the n candidates of q . e_j^(l),
// where q is the pooled vector of the user. The share of the positive is the same for every
// candidate, so the candidate can be chosen before mixing.
std::unique_ptr<Sampler> make_mixgcf();

}  // namespace divns
