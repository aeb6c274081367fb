// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/json_fwd.h"
#include "summary/summary.h"

namespace divns {

// What a study has so far: `request` is its request.json, `runs` the folder of its runs. Rows
// without runs are left out; a tuning shows the best trial of each row.
void read_unfinished_study(const Json& request, const std::filesystem::path& runs,
                           Summary& summary);

}  // namespace divns
