// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "base/scratch.h"

namespace divns {

// Sorts keys ascending and drops repeats; with times (as many as keys, or none), the earliest time
// of a key stays.
void sort_and_merge(ScratchVector<uint64_t>& keys, ScratchVector<int64_t>& times,
                    const Executor& executor);

}  // namespace divns
