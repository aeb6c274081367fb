// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// As `shared`, but only the T items of the set that score highest for a row enter its loss: dynamic
// negative sampling with the candidates of all rows scored by one matrix product.
std::unique_ptr<Sampler> make_hard_shared();

}  // namespace divns
