// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/model.h"

namespace divns {

// LightGCN: E^(l+1) = A^ E^(l) with A^ = D^-1/2 A D^-1/2, pooled by the mean over l = 0 .. L (or
// 1 .. L).
std::unique_ptr<Model> make_lightgcn();

}  // namespace divns
