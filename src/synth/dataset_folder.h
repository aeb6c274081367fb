// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "data/id_list.h"
#include "data/slab_store.h"
#include "data/split.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "synth/synth.h"

namespace divns {

// A synthetic dataset divided into its parts, in memory; ids are the numbers themselves.
struct SynthSplit {
  IdList user_ids;
  IdList item_ids;
  std::array<SlabStore, 3> parts;

  // kTrain, kValid or kTest; in memory, a part is a single slab.
  Interactions part(uint8_t label) const {
    Slab unused;
    return parts[label].read(0, unused).rows.view(static_cast<uint32_t>(item_ids.size()));
  }
};

SynthSplit split_synth(const SynthData& data, const SplitRequest& split, const Executor& executor);

// Writes a synthetic dataset as a prepared folder; see write_synthetic.
SynthReport write_synth_dataset(const SynthData& data, const std::string& recipe_json,
                                const std::filesystem::path& output, const SplitRequest& split,
                                bool overwrite, const Executor& executor);

}  // namespace divns
