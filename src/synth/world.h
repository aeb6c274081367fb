// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/parallel.h"
#include "divns/synth.h"
#include "synth/truth.h"

namespace divns {

// Creates the items and the tastes of the users. The same for any number of threads.
SynthTruth build_synth_truth(const SynthOptions& options, const Executor& executor);

}  // namespace divns
