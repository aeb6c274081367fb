// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// Popularity sampling: K draws with P(i | u) proportional to c_i^0.75 over the items that the user
// has no training pair with, where c_i is the number of training pairs of item i.
std::unique_ptr<Sampler> make_pns();

}  // namespace divns
