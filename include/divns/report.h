// SPDX-License-Identifier: Apache-2.0
// Reports on runs and studies: one HTML file with tables and charts, or the same as text and data.
//
//   divns::write_report({"study"}, "report.html");
//
// Runs and studies that are still training can be reported as well; the report shows what they have
// so far.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace divns {

class Options;

enum class ReportFormat {
  kAuto,         // by the ending of the output: .html, .json, .md, .csv, .jsonl
  kHtml,         // one file that opens without a network
  kJson,         // the document that the page shows (report-ui/README.md)
  kMarkdown,     // the verdict and the tables
  kCsv,          // one line per run and epoch
  kJsonl,        // the same, one JSON object per line
  kTensorboard,  // a folder of event files, one folder per run
};

struct ReportOptions {
  ReportFormat format = ReportFormat::kAuto;
  std::string title;  // empty: made from what is reported
  std::string runs;   // folder of the runs that a study shares with others; empty: inside the study
  bool map = true;    // compute the map of the items (t-SNE)
  int threads = 0;    // 0: one per core

  void declare(Options& options);
};

// Writes the report on run folders, or on the folder of one study. Throws Error for folders that
// hold neither, for damaged files, and for HTML if the page was not built (has_report_page).
void write_report(const std::vector<std::filesystem::path>& folders,
                  const std::filesystem::path& out, const ReportOptions& options = {});

// The document alone, as JSON on one line.
std::string report_document(const std::vector<std::filesystem::path>& folders,
                            const ReportOptions& options = {});

// The page with this document in it. Without one it is the page of a live report, which fetches
// data.json and listens to events (report-ui/README.md). Throws Error if the page was not built.
std::string report_page(std::string_view document = {});
bool has_report_page();

}  // namespace divns
