// SPDX-License-Identifier: Apache-2.0
// The report that other verbs write by themselves when they are done.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.h"

namespace divns::app {

// Writes `out`, an .html file, and says its path; where the page was not built with divns, writes
// Markdown beside it and says why.
void write_own_report(const CommonOptions& common,
                      const std::vector<std::filesystem::path>& folders, std::filesystem::path out,
                      const std::string& shared_runs = {});

}  // namespace divns::app
