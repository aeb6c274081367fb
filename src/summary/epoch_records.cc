// SPDX-License-Identifier: Apache-2.0
#include "summary/epoch_records.h"

#include <algorithm>

#include "base/json.h"
#include "report/table.h"
#include "summary/sections.h"

namespace divns {
namespace {

// Names of everything that some epoch has, loss and validation first.
std::vector<std::string> measured_names(const Summary& summary) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (!summary.rows.empty())
    for (const char* name : {"loss", "hardness"}) add(name);
  for (const SummaryRow& row : summary.rows)
    for (const SourceRun& run : row.runs) {
      add(run.valid_name);
      for (const RunEvent& event : run.events)
        for (const auto& [name, value] : event.negatives) add(name);
    }
  return names;
}

}  // namespace

std::string epoch_records(const Summary& summary, bool as_csv) {
  const std::vector<std::string> names = measured_names(summary);
  std::vector<Column> columns = {{"row"},  {"model"}, {"sampler"}, {"loss_name"},
                                 {"seed"}, {"run"},   {"epoch"},   {"seconds"}};
  for (const std::string& name : names) columns.push_back({name});
  ReportTable table("Epochs", columns);
  for (const SummaryRow& row : summary.rows)
    for (const SourceRun& run : row.runs)
      for (size_t e = 0; e < run.events.size(); ++e) {
        const RunEvent& event = run.events[e];
        std::vector<Cell> cells = {row.series,
                                   row.model,
                                   row.sampler,
                                   run.loss,
                                   Figure{.value = static_cast<double>(run.seed), .digits = 0},
                                   run.folder.filename().string(),
                                   Figure{.value = static_cast<double>(e + 1), .digits = 0},
                                   Figure{.value = event.seconds.total()}};
        for (const std::string& name : names) {
          const bool others = name.find('@') != std::string::npos && name != run.valid_name;
          const auto value = others ? std::nullopt : curve_value(event, name);
          cells.push_back(value ? Cell(Figure{.value = *value}) : Cell());
        }
        table.add(std::move(cells));
      }
  if (as_csv) return to_csv(table);
  std::string lines;
  for (const std::vector<Cell>& row : table.rows()) {
    Json record = Json::object();
    for (size_t c = 0; c < row.size(); ++c) {
      if (const std::string* text = row[c].text()) record[columns[c].name] = *text;
      if (const Figure* figure = row[c].figure()) {
        const auto whole = static_cast<int64_t>(figure->value);
        record[columns[c].name] = figure->digits == 0 ? Json(whole) : Json(figure->value);
      }
    }
    lines += json_line(record) + "\n";
  }
  return lines;
}

}  // namespace divns
