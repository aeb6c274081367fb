// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "divns/sampler.h"
#include "divns/snapshot.h"

namespace divns {

// Epochs 1 to 10, every tenth to 100, every hundredth after that: the beginning is where caches
// and negatives change most. `epoch` counts from 0.
bool is_recorded_epoch(uint32_t epoch);

// The users whose negatives are recorded: the same for every seed and sampler, each with enough
// positives for a picture and not too many.
std::vector<uint32_t> recorded_users(const Interactions& train, size_t count);

// Empty for a sampler that is no SnapshotSource.
std::vector<UserSnapshot> take_snapshots(const Sampler& sampler, uint32_t epoch,
                                         const std::vector<uint32_t>& users);

}  // namespace divns
