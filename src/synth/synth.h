// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/synth.h"
#include "synth/truth.h"

namespace divns {

// A synthetic dataset with its true preferences.
//
//   const SynthData data = generate_synth(synth_preset("demo"), Executor());
//   data.truth.likes(user, item);
struct SynthData {
  std::vector<uint64_t> offsets;
  std::vector<uint32_t> items;
  std::vector<uint32_t> times;  // seconds since 1970, one per pair, in the order of choice
  SynthTruth truth;

  Interactions interactions() const { return {offsets, items, truth.items()}; }
};

// Generates exactly options.pairs distinct pairs from the distribution in synth/truth.h. Every user
// has at least options.minimum_degree of them; an unpopular item may have none. The result is the
// same for any number of threads.
SynthData generate_synth(const SynthOptions& options, const Executor& executor);

}  // namespace divns
