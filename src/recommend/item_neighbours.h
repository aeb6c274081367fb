// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "divns/parallel.h"
#include "divns/recommend.h"

namespace divns {

// similar_by_weights() with an executor. `weights` is square.
TopItems nearest_by_weights(const VectorTable& weights, std::span<const uint32_t> items, uint32_t k,
                            Similarity measure, const Executor& executor);

}  // namespace divns
