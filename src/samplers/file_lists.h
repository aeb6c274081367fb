// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// The sampler `file`: choices that were made elsewhere, read from lines user,item[,weight].
//   mode = negatives: a negative is an item of the user's list with probability proportional to its
//     weight. With probability 1 - share, and for users without a list, it is a uniform draw from
//     I_u- instead. Training items of the user are left out of the list.
//   mode = never: the listed items are taken out of I_u-, from which negatives are drawn uniformly.
// With n > 1 candidates the negative is the highest-scoring of n such draws.
std::unique_ptr<Sampler> make_file_lists();

}  // namespace divns
