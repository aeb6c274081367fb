// SPDX-License-Identifier: Apache-2.0
// Charts as Vega-Lite v5 specifications: JSON that a browser, a notebook or the HTML report can
// draw. The data of a chart are a ReportTable with one mark per row; the same table is written as
// CSV.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "report/table.h"

namespace divns {

// A curve is a line without points, with a band instead of error bars. Stacked bars lie: x is the
// number.
enum class ChartKind { kLine, kCurve, kBar, kStackedBar, kScatter };

struct Channel {
  enum class Type { kNumber, kOrder, kName };  // quantitative, ordinal, nominal
  std::string column;                          // full name of a column; empty: not used
  std::string title = {};                      // the column's name if empty
  Type type = Type::kNumber;
  bool logarithmic = false;
  bool from_zero = false;  // otherwise the axis spans the data
};

struct Chart {
  ChartKind kind = ChartKind::kLine;
  std::string title;
  std::string subtitle = {};
  Channel x;
  Channel y;
  // Standard deviations of y are drawn as error bars if the table has them.
  Channel colour = {};  // also the dash of lines and the offset of bars
  Channel shape = {};   // of the points of a scatter chart
  Channel facet = {};   // one panel per value, side by side
  // Values of `colour` in the order of the palette, so that several charts agree on colours.
  std::vector<std::string> colour_order = {};
  // Draws only rows with one of these values in this column; all rows if the name is empty.
  std::string filter_column = {};
  std::vector<std::string> filter_values = {};
  bool shared_axes = true;  // shared by the panels
  bool hide_axes = false;   // for maps, whose coordinates have no meaning
  int width = 320;          // 0: that of the element that the chart is drawn in
  int height = 240;
};

// With embedded data.
std::string vega_lite(const Chart& chart, const ReportTable& data);
// With the data in a separate CSV file, columns as to_csv writes them.
std::string vega_lite(const Chart& chart, const ReportTable& data, const std::string& csv_url);

// Without data: the program that draws it supplies them.
Json vega_lite_spec(const Chart& chart, const ReportTable& data);

// Writes name.csv, and name.vl.json with embedded data.
void write_chart(const std::filesystem::path& folder, const std::string& name, const Chart& chart,
                 const ReportTable& data);

}  // namespace divns
