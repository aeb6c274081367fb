// SPDX-License-Identifier: Apache-2.0
#include "divns/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/files.h"
#include "divns/options.h"
#include "summary/epoch_records.h"
#include "summary/event_files.h"
#include "summary/sections.h"
#include "summary/verdict.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

std::string title_of(const Summary& summary, const ReportOptions& options) {
  if (!options.title.empty()) return shown_text(options.title);
  if (summary.verb == "tune") return "Tuning of negative samplers";
  if (summary.rows.empty()) return "Reproduced figures";
  if (summary.verb == "ablate") return "Ablation, one option at a time";
  if (summary.rows.size() == 1) return shown_text("Training of " + summary.rows.front().series);
  return "Comparison of negative samplers";
}

std::string subtitle_of(const Summary& summary) {
  size_t runs = 0;
  for (const SummaryRow& row : summary.rows) runs += row.runs.size();
  std::string text = fmt::format("{} run{}", runs, runs == 1 ? "" : "s");
  if (!summary.rows.empty() && !summary.rows.front().runs.front().data_folder.empty())
    text += " on " +
            shown_text(fs::path(summary.rows.front().runs.front().data_folder).filename().string());
  return text;
}

// The picture of diverse choice belongs to reports on DivNS.
bool has_diverse_rows(const Summary& summary) {
  return std::any_of(summary.rows.begin(), summary.rows.end(),
                     [](const SummaryRow& row) { return row.sampler == "divns"; });
}

ReportDocument make_document(const Summary& summary, const ReportOptions& options) {
  ReportDocument report{.title = title_of(summary, options),
                        .subtitle = subtitle_of(summary),
                        .verdict = verdict_of(summary),
                        .notes = {},
                        .series = series_of(summary),
                        .sections = {}};
  for (const std::string& note : summary.notes) report.notes.push_back(shown_text(note, 400));
  report.sections = {
      results_section(summary),  reproduced_section(summary), time_against_quality_section(summary),
      curves_section(summary),   phases_section(summary),     groups_section(summary),
      ablation_section(summary), tuning_section(summary)};
  if (options.map) report.sections.push_back(map_section(summary, options));
  if (has_diverse_rows(summary)) report.sections.push_back(diversity_section());
  report.sections.push_back(recommendations_section(summary));
  report.sections.push_back(reproducibility_section(summary));
  return report;
}

Summary read_for_report(const std::vector<fs::path>& folders, const ReportOptions& options) {
  return read_summary(folders, options.runs);
}

ReportFormat format_of(const fs::path& out, ReportFormat format) {
  if (format != ReportFormat::kAuto) return format;
  const std::string ending = out.extension().string();
  if (ending == ".html" || ending == ".htm") return ReportFormat::kHtml;
  if (ending == ".json") return ReportFormat::kJson;
  if (ending == ".md") return ReportFormat::kMarkdown;
  if (ending == ".csv") return ReportFormat::kCsv;
  if (ending == ".jsonl") return ReportFormat::kJsonl;
  fail(
      "the name '{}' does not tell the format of the report. Use the ending .html, .md, .json, "
      ".csv "
      "or .jsonl, or give --format.",
      out.string());
}

}  // namespace

void ReportOptions::declare(Options& options) {
  options.add_choice("format", format,
                     {{"auto", ReportFormat::kAuto},
                      {"html", ReportFormat::kHtml},
                      {"json", ReportFormat::kJson},
                      {"markdown", ReportFormat::kMarkdown},
                      {"csv", ReportFormat::kCsv},
                      {"jsonl", ReportFormat::kJsonl},
                      {"tensorboard", ReportFormat::kTensorboard}},
                     "format of the report; auto takes it from the ending of the output");
  options.add("title", title, "title of the report");
  options.add("runs", runs, "folder of the runs that a study shares with other studies");
  options.add("map", map, "compute the map of the items, which takes some seconds");
}

void write_report(const std::vector<fs::path>& folders, const fs::path& out,
                  const ReportOptions& options) {
  const Summary summary = read_for_report(folders, options);
  const ReportFormat format = format_of(out, options.format);
  switch (format) {
    case ReportFormat::kCsv:
    case ReportFormat::kJsonl:
      write_file_atomically(out, epoch_records(summary, format == ReportFormat::kCsv),
                            Target::kNamed);
      return;
    case ReportFormat::kTensorboard:
      write_event_files(out, summary);
      return;
    case ReportFormat::kJson:
      write_file_atomically(out, report_json_text(make_document(summary, options)) + "\n",
                            Target::kNamed);
      return;
    case ReportFormat::kMarkdown:
      write_file_atomically(out, report_markdown(make_document(summary, options)), Target::kNamed);
      return;
    case ReportFormat::kAuto:
    case ReportFormat::kHtml:
      break;
  }
  write_file_atomically(out, report_page(report_json_text(make_document(summary, options))),
                        Target::kNamed);
}

std::string report_document(const std::vector<fs::path>& folders, const ReportOptions& options) {
  return report_json_text(make_document(read_for_report(folders, options), options));
}

}  // namespace divns
