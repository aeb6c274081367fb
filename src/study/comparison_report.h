// SPDX-License-Identifier: Apache-2.0
// A comparison for people and programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "report/table.h"
#include "study/comparison.h"

namespace divns {

// What is asked: rows with their resolved settings, seeds, reference, metrics.
Json request_json(const ComparisonRequest& request, const std::vector<NamedRun>& runs);
// What came of it.
Json comparison_json(const ComparisonRequest& request, const Comparison& comparison);

// Mean ± standard deviation over seeds, best and second best of each group marked, and a line with
// the lead of the reference over the best other, starred where Holm's p of the signed-rank test
// over users is below 0.05.
ReportTable comparison_table(const std::string& title, const ComparisonRequest& request,
                             const Comparison& comparison, const std::vector<std::string>& metrics);
// One row a test, of one metric or of all.
ReportTable tests_table(const ComparisonRequest& request, const Comparison& comparison,
                        const std::string& only_metric = {});
// One row a run.
ReportTable runs_table(const Comparison& comparison);
ReportTable timings_table(const Comparison& comparison);

struct ComparisonFiles {
  std::string title;
  const Json& header;  // of study.json
  std::string command;
  std::string data_folder;
  std::vector<std::string> notes;
};

// study.json, table.*, table_all.*, tests.*, runs.csv, timings.csv and commands.sh.
void write_comparison(const std::filesystem::path& folder, const RunStore& store,
                      const ComparisonFiles& files, const ComparisonRequest& request,
                      const Comparison& comparison);

}  // namespace divns
