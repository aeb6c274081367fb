// SPDX-License-Identifier: Apache-2.0
// Uniform choice beside a k-DPP: the paper's Figure 1.
#include "study/reproduce_parts.h"
#include "summary/sections.h"

namespace divns {

ReportSection diversity_section() {
  ReportSection section{.id = "diversity", .title = "Uniform choice beside a k-DPP"};
  section.text =
      "What diversity means: fifteen of 400 points in clusters, chosen uniformly and by a k-DPP. "
      "The same picture in every report; it does not depend on the runs.";
  Reproduction toy;
  reproduce_toy(toy);
  const auto column_of = [&](const char* name) {
    size_t c = 0;
    while (toy.data.columns()[c].name != name) ++c;
    return c;
  };
  const size_t method = column_of("method");
  for (const char* name : {"uniform", "k-DPP"}) {
    ReportTable data("", toy.data.columns());
    for (const std::vector<Cell>& row : toy.data.rows())
      if (*row[method].text() == name) data.add(row);
    Chart chart = toy.chart;
    chart.title = std::string("Chosen: ") + name;
    chart.subtitle.clear();
    chart.facet = {};
    chart.height = 300;
    section.add_chart(std::move(chart), std::move(data));
  }
  for (ReportTable& table : toy.tables)
    section.add_table("Spread of the choices", std::move(table));
  return section;
}

}  // namespace divns
