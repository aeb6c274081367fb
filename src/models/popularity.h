// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/fitted_model.h"

namespace divns {

// Ranks by the number of training pairs: s(u, i) = |{v : (v, i) in train}|, the same for every
// user.
std::unique_ptr<FittedModel> make_popularity();

}  // namespace divns
