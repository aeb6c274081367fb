// SPDX-License-Identifier: Apache-2.0
#include "live/live_document.h"

#include "divns/error.h"
#include "divns/report.h"
#include "divns/stopwatch.h"
#include "summary/document.h"

namespace divns {

const std::string& LiveDocument::at(uint64_t state) {
  if (!text_.empty() && state == state_) return text_;
  state_ = state;
  const Stopwatch watch;
  // The map would take more time than the epochs that it shows.
  ReportOptions options;
  options.runs = runs_;
  options.map = false;
  options.threads = 1;
  try {
    text_ = report_document({folder_}, options);
  } catch (const Error&) {
    if (text_.empty())
      text_ = report_json_text({.title = "Training",
                                .subtitle = shown_text(folder_.string()),
                                .verdict = "Nothing was measured yet.",
                                .notes = {},
                                .series = {},
                                .sections = {}});
  }
  seconds_ = watch.seconds();
  return text_;
}

}  // namespace divns
