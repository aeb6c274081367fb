// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "data/synth_options.h"
#include "data/synth_truth.h"
#include "divns/interactions.h"

namespace divns {

// A synthetic dataset and the truth behind it.
//
//   const SynthData data = generate_synth(synth_preset("demo"), Executor());
//   data.truth.likes(user, item);
struct SynthData {
  std::vector<uint64_t> offsets;
  std::vector<uint32_t> items;
  std::vector<uint32_t> times;  // seconds since 1970, one a pair, in the order the user chose
  SynthTruth truth;

  Interactions interactions() const { return {offsets, items, truth.items()}; }
};

// Exactly options.pairs distinct pairs, drawn from the law in data/synth_truth.h; every user has at
// least options.minimum_degree of them, an unpopular item may have none. The same for any number of
// threads.
SynthData generate_synth(const SynthOptions& options, const Executor& executor);

}  // namespace divns
