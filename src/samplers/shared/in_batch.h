// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/sampler.h"

namespace divns {

// The positives of the other pairs of the batch are the negatives of a row. An item is among them
// in proportion to its number of training pairs; the weight count^-correction (the logQ correction
// of a softmax) makes up for that.
std::unique_ptr<Sampler> make_in_batch();

// The same items and M uniform ones. The chance of an item is that of being in either.
std::unique_ptr<Sampler> make_mixed();

}  // namespace divns
