// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "samplers/sampler.h"

namespace divns {

// Dynamic negative sampling: of n candidates, the one that scores highest at the moment,
// argmax_j e_u . e_j. The first of equals is taken. K negatives come from K lists.
std::unique_ptr<Sampler> make_dns();

}  // namespace divns
