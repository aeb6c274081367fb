// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "divns/loss.h"

namespace divns {

// Alignment of each user with its positive, |u - p|^2 = 2 - 2 cos(u, p), and uniformity of the
// users and of the positives of a batch (train/uniformity.h). No negatives.
std::unique_ptr<Loss> make_directau();

}  // namespace divns
