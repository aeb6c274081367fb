// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "report/table.h"
#include "study/comparison_report.h"
#include "study/study_folder.h"
#include "study/study_setup.h"

namespace divns {
namespace {

std::vector<std::string> names_of(std::span<const Dataset> data) {
  std::vector<std::string> names;
  for (const Dataset& each : data) {
    const std::string name = each.folder().stem().string();
    if (std::find(names.begin(), names.end(), name) != names.end())
      fail("two of the datasets are named '{}'; a study has one folder per name. Rename one.",
           name);
    names.push_back(name);
  }
  return names;
}

size_t column_of(const ComparisonResult& study, const std::string& metric) {
  return static_cast<size_t>(std::find(study.columns.begin(), study.columns.end(), metric) -
                             study.columns.begin());
}

// The lead of the reference of a group over the best other row, in percent.
Cell lead(const ComparisonResult& study, const std::string& group, const std::string& reference,
          const std::string& metric) {
  const size_t c = column_of(study, metric);
  double own = 0;
  const ComparedRow* best = nullptr;
  for (const ComparedRow& row : study.rows) {
    if (row.group != group) continue;
    if (row.label == reference)
      own = row.mean[c];
    else if (best == nullptr || row.mean[c] > best->mean[c])
      best = &row;
  }
  if (best == nullptr || best->mean[c] == 0) return {};
  Figure figure{.value = 100 * (own / best->mean[c] - 1), .digits = 2, .unit = "%"};
  figure.star = std::any_of(study.tests.begin(), study.tests.end(), [&](const auto& test) {
    return test.group == group && test.metric == metric && test.other == best->label &&
           test.p_users < kSignificant;
  });
  return figure;
}

// Rows of the comparison by datasets, for each metric.
ReportTable datasets_table(const std::vector<std::string>& names,
                           const std::vector<ComparisonResult>& studies,
                           const std::vector<std::string>& metrics, int seeds) {
  std::vector<Column> columns = {{"metric"}, {"model"}, {"sampler"}};
  for (const std::string& name : names) columns.push_back({name});
  ReportTable table("Samplers compared on several datasets", columns);
  const ComparisonResult& first = studies.front();
  const auto add_lead = [&](const std::string& metric, const ComparedRow& row) {
    const auto test = std::find_if(first.tests.begin(), first.tests.end(),
                                   [&](const auto& each) { return each.group == row.group; });
    if (test == first.tests.end()) return;
    std::vector<Cell> cells = {metric, row.model, test->reference + " vs best other"};
    for (const ComparisonResult& study : studies)
      cells.push_back(lead(study, row.group, test->reference, metric));
    table.add(std::move(cells));
  };
  for (const std::string& metric : metrics) {
    const size_t c = column_of(first, metric);
    size_t begin = table.rows().size();
    for (size_t r = 0; r < first.rows.size(); ++r) {
      const ComparedRow& row = first.rows[r];
      if (table.rows().size() == begin && begin > 0) table.add_rule();
      std::vector<Cell> cells = {metric, row.model, row.label};
      for (const ComparisonResult& study : studies) {
        Figure figure{.value = study.rows[r].mean[c]};
        if (seeds > 1) figure.sd = study.rows[r].sd[c];
        cells.emplace_back(figure);
      }
      table.add(std::move(cells));
      if (r + 1 < first.rows.size() && first.rows[r + 1].group == row.group) continue;
      for (size_t s = 0; s < studies.size(); ++s)
        table.mark_best(s + 3, begin, table.rows().size());
      add_lead(metric, row);
      begin = table.rows().size();
    }
  }
  table.add_note(
      "Test part of each dataset. A lead over the best other row is marked as significant where "
      "the two differ by the signed-rank test over users, Holm-corrected, p < 0.05.");
  return table;
}

}  // namespace

DatasetsResult compare_datasets(std::span<const Dataset> data, const CompareOptions& options,
                                const StudyCallbacks& callbacks) {
  check_study(options);
  DatasetsResult result;
  result.names = names_of(data);
  Json asked = {{"verb", "compare"}, {"datasets", Json::array()}};
  for (size_t d = 0; d < data.size(); ++d)
    asked["datasets"].push_back({{"name", result.names[d]}, {"hash", data[d].hash()}});
  const StudyFolder folder(options.out, asked);
  Json json = {{"format", "divns-studies"}, {"version", 1}, {"command", options.command}};
  for (size_t d = 0; d < data.size(); ++d) {
    CompareOptions of_dataset = options;
    of_dataset.out = (folder.path() / result.names[d]).string();
    result.studies.push_back(compare(data[d], of_dataset, callbacks));
    if (!result.studies.back().finished) return result;
    json["studies"].push_back(
        {{"name", result.names[d]}, {"study", parse_json(result.studies.back().json)}});
  }
  const ReportTable table =
      datasets_table(result.names, result.studies, options.metrics, options.seeds);
  write_table(folder.path(), "datasets", table);
  result.finished = true;
  result.table = to_text(table);
  result.json = json_text(json) + "\n";
  // Written last: if it exists, all studies are finished.
  write_file_atomically(folder.path() / "study.json", result.json);
  return result;
}

}  // namespace divns
