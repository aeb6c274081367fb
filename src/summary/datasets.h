// SPDX-License-Identifier: Apache-2.0
// Reports on a comparison on several datasets: `divns compare --data A,B`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "summary/document.h"
#include "summary/summary.h"

namespace divns {

struct DatasetsSummary {
  std::vector<std::string> names;
  std::vector<Summary> parts;  // one for each name; datasets that have no run yet are left out
};

// True for the folder of such a comparison, which holds a study for each dataset.
bool is_datasets_folder(const std::filesystem::path& folder);
DatasetsSummary read_datasets(const std::filesystem::path& folder,
                              const std::filesystem::path& shared_runs);

// All rows of all datasets as one, in groups that name their dataset: for flat files.
Summary merged(DatasetsSummary datasets);

// A table of all datasets; a chart of the metric that decides.
ReportSection datasets_section(const DatasetsSummary& datasets);

}  // namespace divns
