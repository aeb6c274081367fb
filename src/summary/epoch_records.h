// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "summary/summary.h"

namespace divns {

// One record per run and epoch: row, model, sampler, loss, seed, run, epoch, and what was measured.
// CSV (RFC 4180), or JSON lines without the values that are missing.
std::string epoch_records(const Summary& summary, bool as_csv);

}  // namespace divns
