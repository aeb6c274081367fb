// SPDX-License-Identifier: Apache-2.0
// The sections of a report, each made of a summary. A section without blocks is left out.
#pragma once

#include "divns/report.h"
#include "summary/document.h"
#include "summary/summary.h"

namespace divns {

ReportSection results_section(const Summary& summary);
ReportSection time_against_quality_section(const Summary& summary);
ReportSection curves_section(const Summary& summary);
ReportSection phases_section(const Summary& summary);
ReportSection groups_section(const Summary& summary);
ReportSection ablation_section(const Summary& summary);
ReportSection tuning_section(const Summary& summary);
ReportSection map_section(const Summary& summary, const ReportOptions& options);
ReportSection diversity_section();
ReportSection recommendations_section(const Summary& summary);
// Figures of `divns reproduce`, and their files in its folder.
ReportSection reproduced_section(const Summary& summary);
std::vector<std::filesystem::path> reproduced_charts(const std::filesystem::path& folder);
ReportSection reproducibility_section(const Summary& summary);

// Names of the rows, in the order of the palette.
std::vector<std::string> series_of(const Summary& summary);
// The channel that tells rows apart.
Channel series_channel();
// One epoch-by-epoch quantity of a run.
struct CurveQuantity {
  std::string name;  // "loss", "recall@20", "diversity"
  std::string title;
  std::string text;
};
std::vector<CurveQuantity> curve_quantities(const Summary& summary);
std::optional<double> curve_value(const RunEvent& event, const std::string& name);

}  // namespace divns
