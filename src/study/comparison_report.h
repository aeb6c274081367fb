// SPDX-License-Identifier: Apache-2.0
// Output of a comparison: JSON, tables, files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "report/table.h"
#include "study/comparison.h"

namespace divns {

// A lead with a Holm-corrected p below this is marked.
inline constexpr double kSignificant = 0.05;

// The request: rows with their resolved settings, seeds, reference, metrics.
Json request_json(const ComparisonRequest& request, const std::vector<NamedRun>& runs);
// The results.
Json comparison_json(const ComparisonRequest& request, const Comparison& comparison);

// Mean ± standard deviation over seeds, best and second best of each group marked, and a line with
// the lead of the reference over the best other row. The lead is marked if Holm's p of the
// signed-rank test over users is below 0.05.
ReportTable comparison_table(const std::string& title, const ComparisonRequest& request,
                             const Comparison& comparison, const std::vector<std::string>& metrics);
// One row per test, for one metric or for all.
ReportTable tests_table(const ComparisonRequest& request, const Comparison& comparison,
                        const std::string& only_metric = {});
// One row per run.
ReportTable runs_table(const Comparison& comparison);
ReportTable timings_table(const Comparison& comparison);

struct ComparisonFiles {
  std::string title;
  const Json& header;  // header of study.json
  std::string command;
  std::string data_folder;
  std::vector<std::string> notes;
};

// Writes study.json, table.*, table_all.*, tests.*, runs.csv, timings.csv and commands.sh.
void write_comparison(const std::filesystem::path& folder, const RunStore& store,
                      const ComparisonFiles& files, const ComparisonRequest& request,
                      const Comparison& comparison);

}  // namespace divns
