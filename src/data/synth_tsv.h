// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "data/synth.h"

namespace divns {

struct SynthTsvOptions {
  bool ratings = false;   // 1 to 5, by fifths of the affinity
  bool times = false;     // seconds since 1970; without ratings a rating of 1 keeps its column
  bool shuffled = false;  // lines in random order; else by user, then item
  uint64_t seed = 1;      // of the order
};

// One line a pair, without header: user, item[, rating[, time]], separated by tabs.
void write_synth_tsv(const std::filesystem::path& path, const SynthData& data,
                     const SynthTsvOptions& options = {});

}  // namespace divns
