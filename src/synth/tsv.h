// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "synth/synth.h"

namespace divns {

// The file that write_synthetic_tsv writes. The seed is that of the order of shuffled lines.
void write_synth_tsv(const std::filesystem::path& path, const SynthData& data,
                     const SynthTsvOptions& options = {}, uint64_t seed = 1);

}  // namespace divns
