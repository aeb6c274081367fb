// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// Uniform negative sampling: K draws from the items the user has no training pair with.
std::unique_ptr<Sampler> make_rns();

}  // namespace divns
