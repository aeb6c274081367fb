// SPDX-License-Identifier: Apache-2.0
// The content of a report, before it becomes JSON for the page, Markdown or CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_fwd.h"
#include "report/chart.h"
#include "report/table.h"

namespace divns {

// Sets a parameter of a chart's specification.
struct ChartControl {
  std::string param;
  std::string label;
  bool is_slider = false;  // otherwise a list to select from
  std::vector<double> values;
  std::vector<std::string> labels;
};

struct ReportBlock {
  enum class Kind { kTable, kChart, kFacts, kCode };
  Kind kind = Kind::kTable;
  std::string title;
  std::string text = {};
  ReportTable table = {"", {}};  // shown, or drawn by the chart
  std::string pick = {};         // column of the table whose values the reader chooses from
  Chart chart = {};
  std::string spec = {};  // a Vega-Lite specification to use instead of `chart`, as JSON
  std::vector<ChartControl> controls = {};
  std::vector<std::pair<std::string, std::string>> facts = {};
  std::string code = {};
};

struct ReportSection {
  std::string id;
  std::string title;
  std::string text = {};
  std::vector<ReportBlock> blocks = {};

  void add_table(std::string title, ReportTable table, std::string text = {},
                 std::string pick = {});
  // The chart's title is that of the block.
  void add_chart(Chart chart, ReportTable data, std::string text = {});
  void add_spec(std::string title, const Json& spec, ReportTable data, std::string text = {},
                std::vector<ChartControl> controls = {});
};

struct ReportDocument {
  std::string title;
  std::string subtitle;
  std::string verdict;
  std::vector<std::string> notes;
  std::vector<std::string> series;
  std::vector<ReportSection> sections;  // those without blocks are left out
  // Reports on several datasets: one for each, whose title is its name. The reader chooses.
  std::vector<ReportDocument> datasets = {};
};

// As report-ui/README.md describes it, on one line.
std::string report_json_text(const ReportDocument& report);
// The verdict and the tables; charts have none.
std::string report_markdown(const ReportDocument& report);

// Text that strangers chose (ids, titles, labels), as a reader should see it: control characters
// and marks of direction are escaped, long text is cut.
std::string shown_text(std::string_view text, size_t most = 120);
// Cells of such text; empty text is an empty cell.
Cell shown_cell(std::string_view text);

// Number of decimals that the spreads of a column support: two significant digits of the median.
int supported_digits(std::vector<double> spreads);

}  // namespace divns
