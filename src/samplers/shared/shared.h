// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// One set of M items per batch, drawn uniformly or by popularity, is the negatives of every row.
// Items drawn by popularity get the weight 1 / chance, so that sums over the set estimate sums over
// all items.
std::unique_ptr<Sampler> make_shared_set();

}  // namespace divns
