// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/model.h"

namespace divns {

// Matrix factorisation: s(u, i) = e_u . e_i, no biases.
std::unique_ptr<Model> make_mf();

}  // namespace divns
