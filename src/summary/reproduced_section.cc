// SPDX-License-Identifier: Apache-2.0
// What `divns reproduce` left in its folder: each figure as it was written there.
#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "summary/sections.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kChartEnding = ".vl.json";

// The rows of a chart's embedded data; columns are those of the first row.
ReportTable embedded_rows(const Json& values) {
  std::vector<Column> columns;
  if (!values.empty() && values.front().is_object())
    for (const auto& [name, value] : values.front().items()) columns.push_back({name});
  ReportTable table("", columns);
  for (const Json& row : values) {
    std::vector<Cell> cells;
    for (const Column& column : columns) {
      const auto value = row.is_object() ? row.find(column.name) : row.end();
      if (value != row.end() && value->is_number())
        cells.emplace_back(Figure{.value = value->get<double>()});
      else if (value != row.end() && value->is_string())
        cells.push_back(shown_cell(value->get<std::string>()));
      else
        cells.emplace_back();
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

std::vector<fs::path> reproduced_charts(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().ends_with(kChartEnding) && has_own_file(entry.path()))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

ReportSection reproduced_section(const Summary& summary) {
  ReportSection section{.id = "reproduced", .title = "Reproduced figures"};
  if (summary.folder.empty()) return section;
  for (const fs::path& file : reproduced_charts(summary.folder)) {
    Json spec = parse_json_if_valid(read_text_file(file, Links::kRefuse));
    if (!spec.is_object() || !spec.contains("data") || !spec["data"].is_object() ||
        !spec["data"].contains("values") || !spec["data"]["values"].is_array())
      continue;
    ReportTable data = embedded_rows(spec["data"]["values"]);
    spec.erase("data");
    std::string name = file.filename().string();
    name.resize(name.size() - kChartEnding.size());
    section.add_spec(shown_text(name), spec, std::move(data));
  }
  return section;
}

}  // namespace divns
