// SPDX-License-Identifier: Apache-2.0
#include "divns/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/files.h"
#include "divns/options.h"
#include "summary/datasets.h"
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

// "8 runs on clear, noisy"
std::string subtitle_of(const Summary& summary) {
  size_t runs = 0;
  std::set<std::string> datasets;
  for (const SummaryRow& row : summary.rows) {
    runs += row.runs.size();
    for (const SourceRun& run : row.runs)
      if (!run.data_folder.empty())
        datasets.insert(shown_text(fs::path(run.data_folder).filename().string()));
  }
  return fmt::format("{} run{}{}{}", runs, runs == 1 ? "" : "s", datasets.empty() ? "" : " on ",
                     fmt::join(datasets, ", "));
}

// The picture of diverse choice belongs to reports on DivNS.
bool has_diverse_rows(const Summary& summary) {
  return std::any_of(summary.rows.begin(), summary.rows.end(),
                     [](const SummaryRow& row) { return row.sampler == "divns"; });
}

ReportDocument document_of(const Summary& summary, const ReportOptions& options) {
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

ReportDocument document_of(const DatasetsSummary& datasets, const ReportOptions& options) {
  const std::string title =
      options.title.empty() ? "Comparison on several datasets" : shown_text(options.title);
  ReportDocument report{.title = title,
                        .subtitle = {},
                        .verdict = verdict_of(datasets),
                        .notes = {},
                        .series = series_of(datasets.parts.front()),
                        .sections = {datasets_section(datasets)}};
  for (size_t d = 0; d < datasets.names.size(); ++d) {
    report.datasets.push_back(document_of(datasets.parts[d], options));
    report.datasets.back().title = shown_text(datasets.names[d]);
    report.subtitle += fmt::format("{}{}", d == 0 ? "" : "; ", report.datasets.back().subtitle);
  }
  return report;
}

// A study on several datasets, or anything else.
struct Reported {
  Reported(const std::vector<fs::path>& folders, const ReportOptions& options) {
    if (folders.size() == 1 && is_datasets_folder(folders.front()))
      datasets = read_datasets(folders.front(), options.runs);
    else
      summary = read_summary(folders, options.runs, Executor(options.threads));
  }

  ReportDocument document(const ReportOptions& options) const {
    return datasets ? document_of(*datasets, options) : document_of(summary, options);
  }
  Summary all_rows() const { return datasets ? merged(*datasets) : summary; }

  std::optional<DatasetsSummary> datasets;
  Summary summary;
};

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

// A report inside a folder that it reports on is a file of this folder, which may come from a
// stranger: links and FIFOs in its place are refused. Any other is a file that the user named.
Target target_of(const fs::path& out, const std::vector<fs::path>& folders) {
  const fs::path parent = out.has_parent_path() ? out.parent_path() : ".";
  const bool inside = std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
    std::error_code ignored;
    return fs::equivalent(folder, parent, ignored);
  });
  return inside ? Target::kOwned : Target::kNamed;
}

std::string report_text(const Reported& reported, ReportFormat format,
                        const ReportOptions& options) {
  switch (format) {
    case ReportFormat::kCsv:
    case ReportFormat::kJsonl:
      return epoch_records(reported.all_rows(), format == ReportFormat::kCsv);
    case ReportFormat::kJson:
      return report_json_text(reported.document(options)) + "\n";
    case ReportFormat::kMarkdown:
      return report_markdown(reported.document(options));
    default:
      return report_page(report_json_text(reported.document(options)));
  }
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
  const Reported reported(folders, options);
  const ReportFormat format = format_of(out, options.format);
  if (format == ReportFormat::kTensorboard) return write_event_files(out, reported.all_rows());
  write_file_atomically(out, report_text(reported, format, options), target_of(out, folders));
}

std::string report_document(const std::vector<fs::path>& folders, const ReportOptions& options) {
  return report_json_text(Reported(folders, options).document(options));
}

}  // namespace divns
