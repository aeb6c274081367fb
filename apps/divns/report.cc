// SPDX-License-Identifier: Apache-2.0
#include "divns/report.h"

#include "report_page.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct ReportVerb {
  CommonOptions common;
  std::vector<std::string> given;
  std::string out = "report.html";
  ReportOptions report;
  Options options;

  explicit ReportVerb(Command verb) {
    options.add("out", out, "file to write; a folder for the format tensorboard").alias("o");
    report.declare(options);
    common.declare(options);
    verb.positional("runs", given, "folders of runs, or the folder of one study")
        .options(options)
        .example("divns report study -o report.html")
        .example("divns report run-dns run-divns -o comparison.md")
        .example("divns report study --format tensorboard -o logs")
        .action([this] { run(); });
  }

  void run() {
    report.threads = common.threads;
    const std::vector<std::filesystem::path> folders(given.begin(), given.end());
    if (common.json) return print_result(report_document(folders, report));
    write_report(folders, out, report);
    print_result(out);
  }
};

}  // namespace

void add_report_verb(Command root) {
  install<ReportVerb>(
      root.add_verb("report", "tables and charts of runs or a study, as one HTML file"));
}

}  // namespace divns::app
