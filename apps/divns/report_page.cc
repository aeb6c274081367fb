// SPDX-License-Identifier: Apache-2.0
#include "report_page.h"

#include "divns/report.h"

namespace divns::app {

void write_own_report(const CommonOptions& common,
                      const std::vector<std::filesystem::path>& folders, std::filesystem::path out,
                      const std::string& shared_runs) {
  if (!has_report_page()) {
    out.replace_extension(".md");
    say(common, "divns was built without Node.js and npm, so the report has no HTML page.");
  }
  ReportOptions options;
  options.runs = shared_runs;
  options.threads = common.threads;
  write_report(folders, out, options);
  say(common, "report: {}", out.string());
}

}  // namespace divns::app
