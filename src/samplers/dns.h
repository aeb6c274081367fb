// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// Dynamic negative sampling: of n candidates, take the one with the highest current score,
// argmax_j e_u . e_j. Ties go to the first. K negatives come from K lists.
std::unique_ptr<Sampler> make_dns();

}  // namespace divns
