// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parallel.h"
#include "data/synth_options.h"
#include "data/synth_truth.h"

namespace divns {

// Places the items and gives the users their tastes. The same for any number of threads.
SynthTruth build_synth_truth(const SynthOptions& options, const Executor& executor);

}  // namespace divns
