// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// Negatives by neighbourhood overlap. In a graph of items that occur together, J(i, j) is the
// Jaccard overlap of the neighbourhoods of i and j. The negative of a row with positive i is drawn
// with probability proportional to J(i, j) from the items j with
//   0 < J(i, j) <= min(1, (epoch + 1) / warmup) max_j J(i, j),
// where items with an overlap above max_overlap, which are likely false negatives, are left out.
// With probability 1 - share, and where there is no such item, the draw is uniform over I_u-.
std::unique_ptr<Sampler> make_gnno();

}  // namespace divns
