// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "divns/text_table.h"
#include "streams.h"

namespace divns::app {
namespace {

constexpr double kRewriteSeconds = 0.1;
constexpr double kPlainLineSeconds = 5;

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string cut_to(const std::string& text, size_t columns) {
  if (display_width(text) <= columns) return text;
  const size_t dots = std::min<size_t>(3, columns);
  std::string kept;
  size_t width = 0;
  for (const char byte : text) {
    const bool begins = (byte & 0xC0) != 0x80;  // of a character of UTF-8
    if (begins && ++width > columns - dots) break;
    kept += byte;
  }
  return kept + std::string(dots, '.');
}

std::string phase_text(const PhaseSeconds& seconds) {
  std::string text = "seconds:";
  for (const Phase& phase : kPhases)
    text += fmt::format("{}{} {:.1f}", text.ends_with(':') ? " " : ", ", phase.name,
                        seconds.*phase.seconds);
  return text + "\n";
}

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (!quiet_ && terminal_ && shown_) print_message("\n");
}

void ProgressLine::show(const std::string& text, bool matters) {
  if (quiet_) return;
  const double pause = terminal_ ? kRewriteSeconds : matters ? 0 : kPlainLineSeconds;
  if (since_shown_.seconds() < pause) return;
  if (terminal_) {
    // The width may change at any time. The last column stays free: some terminals wrap there.
    // ESC [ K clears the rest of the line.
    const int columns = terminal_columns(STDERR_FILENO, 80);
    print_message("\r" + cut_to(text, static_cast<size_t>(std::max(columns, 2) - 1)) + "\x1b[K");
    shown_ = true;
  } else {
    print_message(text + "\n");
  }
  since_shown_ = Stopwatch();
}

std::string TrainingProgress::remaining(uint32_t epochs_done) const {
  const uint32_t here = epochs_done - first_epoch_;
  if (here == 0) return "";
  const double left = static_cast<double>(epochs_) - epochs_done;
  return fmt::format(", at most {} left", duration(since_start_.seconds() / here * left));
}

std::string TrainingProgress::epoch_text(const EpochReport& report) const {
  std::string text = fmt::format("epoch {} loss {:.4f}", report.epoch,
                                 report.loss / static_cast<double>(report.batches));
  if (report.metric)
    text += fmt::format(" {} {:.4f}{}", report.metric_name, *report.metric,
                        report.improved ? " (best)" : "");
  else if (report.best_metric > 0)
    text += fmt::format(" best {} {:.4f} at {}", report.metric_name, report.best_metric,
                        report.best_epoch);
  return text + fmt::format(" | {:.2f} s{}", report.seconds.total(), remaining(report.epoch + 1));
}

void TrainingProgress::on_progress(uint32_t epoch, double share) {
  if (!has_first_) {
    has_first_ = true;
    first_epoch_ = epoch;
  }
  if (!line_.is_rewritten()) return;
  line_.show(
      fmt::format("epoch {} {:3.0f} %{}{}", epoch, 100 * share, last_.empty() ? "" : " | ", last_),
      false);
}

void TrainingProgress::on_epoch(const EpochReport& report) {
  last_ = epoch_text(report);
  line_.show(last_, report.epoch == first_epoch_ || report.metric.has_value());
}

void StudyProgressLine::on_progress(const StudyProgress& progress) {
  std::string text = fmt::format("{} of {} runs", progress.done, progress.total);
  if (progress.seconds_left >= 0 && progress.done < progress.total)
    text += fmt::format(", about {} left", duration(progress.seconds_left));
  line_.show(text + " | " + progress.current, progress.done != done_);
  done_ = progress.done;
}

}  // namespace divns::app
