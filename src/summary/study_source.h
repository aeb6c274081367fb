// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "summary/summary.h"

namespace divns {

// True for a folder of divns compare, tune, ablate or reproduce.
bool is_study_folder(const std::filesystem::path& folder);
// A finished study as its study.json tells; an unfinished one from the runs it has so far.
Summary read_study_summary(const std::filesystem::path& folder,
                           const std::filesystem::path& shared_runs);

}  // namespace divns
