// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "data/pair_list.h"
#include "data/split.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "synth/synth.h"

namespace divns {

// A synthetic dataset divided into its parts, in memory; ids are the numbers themselves.
struct SynthSplit {
  PairList pairs;
  std::array<Rows, 3> parts;

  // kTrain, kValid or kTest.
  Interactions part(uint8_t label) const { return parts[label].view(pairs.items()); }
};

SynthSplit split_synth(const SynthData& data, const SplitRequest& split, const Executor& executor);

// Writes a synthetic dataset as a prepared folder; see write_synthetic.
SynthReport write_synth_dataset(const SynthData& data, const std::string& recipe_json,
                                const std::filesystem::path& output, const SplitRequest& split,
                                bool overwrite, const Executor& executor);

}  // namespace divns
