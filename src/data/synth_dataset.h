// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "base/options.h"
#include "base/parallel.h"
#include "data/pair_list.h"
#include "data/split.h"
#include "data/synth.h"

namespace divns {

// A synthetic dataset cut into its parts, in memory; ids are the numbers themselves.
struct SynthSplit {
  PairList pairs;
  std::array<Rows, 3> parts;

  // kTrain, kValid or kTest.
  Interactions part(uint8_t label) const { return parts[label].view(pairs.items()); }
};

SynthSplit split_synth(const SynthData& data, const SplitRequest& split, const Executor& executor);

// A synthetic dataset as a prepared folder: ids are the numbers themselves, and truth.bin tells
// every user's preference.
struct SynthDatasetReport {
  uint64_t train = 0, valid = 0, test = 0;
  std::string hash;
  std::string statistics_json;
};

SynthDatasetReport write_synth_dataset(const SynthData& data, const std::string& recipe_json,
                                       const std::filesystem::path& output,
                                       const SplitRequest& split, bool overwrite,
                                       const Executor& executor);

}  // namespace divns
