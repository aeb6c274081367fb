// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/fitted_model.h"

namespace divns {

// Ranks by train pairs, the same for every user: s(u, i) = |{v : (v, i) in train}|.
std::unique_ptr<FittedModel> make_popularity();

}  // namespace divns
