// SPDX-License-Identifier: Apache-2.0
#include "summary/datasets.h"

#include <algorithm>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "summary/study_source.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
constexpr size_t kMostDatasets = 1000;

// The names that request.json lists; none for other studies.
std::vector<std::string> dataset_names(const fs::path& folder) {
  std::vector<std::string> names;
  if (!fs::is_directory(folder) || !has_own_file(folder / "request.json")) return names;
  const Json request = parse_json_if_valid(read_text_file(folder / "request.json", Links::kRefuse));
  const auto list = request.is_object() ? request.find("datasets") : request.end();
  if (list == request.end() || !list->is_array()) return names;
  for (const Json& entry : *list) {
    const auto name = entry.is_object() ? entry.find("name") : entry.end();
    if (name == entry.end() || !name->is_string() || !is_run_name(name->get<std::string>()))
      fail("{} is damaged: it names a dataset that is none.", (folder / "request.json").string());
    names.push_back(name->get<std::string>());
  }
  if (names.size() > kMostDatasets)
    fail("{} is damaged: it names {} datasets.", (folder / "request.json").string(), names.size());
  return names;
}

const SummaryRow* find_row(const Summary& summary, const SummaryRow& like) {
  const auto at = std::find_if(
      summary.rows.begin(), summary.rows.end(),
      [&](const SummaryRow& row) { return row.group == like.group && row.label == like.label; });
  return at == summary.rows.end() ? nullptr : &*at;
}

// The dataset with the most rows: an unfinished comparison has all of them in its first one.
const Summary& widest(const DatasetsSummary& datasets) {
  return *std::max_element(
      datasets.parts.begin(), datasets.parts.end(),
      [](const Summary& a, const Summary& b) { return a.rows.size() < b.rows.size(); });
}

Cell dataset_cell(const Summary& part, const SummaryRow& like, const std::string& metric) {
  const SummaryRow* row = find_row(part, like);
  const auto value = row == nullptr ? std::nullopt : part.value(*row, metric);
  if (!value) return {};
  Figure figure{.value = value->mean};
  if (value->count > 1) {
    figure.sd = value->sd;
    figure.digits = supported_digits({value->sd});
  }
  return figure;
}

ReportTable datasets_table(const DatasetsSummary& datasets) {
  std::vector<Column> columns = {{"metric"}, {"model"}, {"row"}};
  for (const std::string& name : datasets.names) columns.push_back({shown_text(name)});
  ReportTable table("Datasets", columns);
  const Summary& first = widest(datasets);
  for (auto metric = first.metrics.rbegin(); metric != first.metrics.rend(); ++metric)
    for (const auto& [begin, end] : first.groups()) {
      if (!table.rows().empty()) table.add_rule();
      const size_t before = table.rows().size();
      for (size_t r = begin; r < end; ++r) {
        const SummaryRow& row = first.rows[r];
        std::vector<Cell> cells = {*metric, shown_cell(row.model), shown_cell(row.label)};
        for (const Summary& part : datasets.parts)
          cells.push_back(dataset_cell(part, row, *metric));
        table.add(std::move(cells));
      }
      for (size_t d = 0; d < datasets.names.size(); ++d)
        table.mark_best(d + 3, before, table.rows().size());
    }
  return table;
}

}  // namespace

bool is_datasets_folder(const fs::path& folder) {
  return !dataset_names(folder).empty();
}

DatasetsSummary read_datasets(const fs::path& folder, const fs::path& shared_runs) {
  DatasetsSummary datasets;
  for (const std::string& name : dataset_names(folder)) {
    if (!is_study_folder(folder / name)) continue;
    Summary part = read_study_summary(folder / name, shared_runs);
    if (part.rows.empty()) continue;
    datasets.names.push_back(name);
    datasets.parts.push_back(std::move(part));
  }
  if (datasets.names.empty())
    fail("{} holds no runs yet. Write the report when the first run has started.", folder.string());
  return datasets;
}

Summary merged(DatasetsSummary datasets) {
  Summary all;
  all.metrics = datasets.parts.front().metrics;
  for (size_t d = 0; d < datasets.names.size(); ++d) {
    all.on_test = all.on_test && datasets.parts[d].on_test;
    for (SummaryRow& row : datasets.parts[d].rows) {
      row.group += " on " + datasets.names[d];
      all.rows.push_back(std::move(row));
    }
  }
  name_series(all);
  return all;
}

ReportSection datasets_section(const DatasetsSummary& datasets) {
  ReportSection section{.id = "datasets", .title = "Datasets"};
  const Summary& first = widest(datasets);
  section.add_table(
      "Comparison", datasets_table(datasets),
      "Mean ± standard deviation over the seeds. Best and second best of each model are marked.",
      "metric");
  const std::string& metric = first.main_metric();
  ReportTable data("", {{"dataset"}, {"row"}, {metric}});
  std::vector<std::string> order;
  for (const SummaryRow& row : first.rows) {
    order.push_back(row.series);
    for (size_t d = 0; d < datasets.names.size(); ++d)
      if (Cell cell = dataset_cell(datasets.parts[d], row, metric); !cell.empty())
        data.add({shown_text(datasets.names[d]), row.series, std::move(cell)});
  }
  if (!data.rows().empty())
    section.add_chart({.kind = ChartKind::kBar,
                       .title = metric + " by dataset",
                       .x = {.column = "dataset", .title = " ", .type = Channel::Type::kName},
                       .y = {.column = metric, .from_zero = true},
                       .colour = {.column = "row", .title = " ", .type = Channel::Type::kName},
                       .colour_order = std::move(order)},
                      std::move(data), "Error bars: one standard deviation over the seeds.");
  return section;
}

}  // namespace divns
