// SPDX-License-Identifier: Apache-2.0
#include "divns/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

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

TrainingProgress::TrainingProgress(int epochs, bool quiet)
    : epochs_(epochs), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

TrainingProgress::~TrainingProgress() {
  if (!quiet_ && terminal_ && shown_ > 0) fmt::print(stderr, "\n");
}

std::string TrainingProgress::remaining(uint32_t epochs_done) const {
  const uint32_t here = epochs_done - first_epoch_;
  if (here == 0) return "";
  const double left = static_cast<double>(epochs_) - epochs_done;
  return fmt::format(", at most {} left", duration(since_start_.seconds() / here * left));
}

std::string TrainingProgress::epoch_text(const EpochReport& report) const {
  const PhaseSeconds& s = report.seconds;
  std::string text = fmt::format("epoch {} loss {:.4f}", report.epoch,
                                 report.loss / static_cast<double>(report.batches));
  if (report.metric)
    text += fmt::format(" recall@20 {:.4f}{}", *report.metric, report.improved ? " (best)" : "");
  else if (report.best_metric > 0)
    text += fmt::format(" best recall@20 {:.4f} at {}", report.best_metric, report.best_epoch);
  return text + fmt::format(
                    " | {:.2f} s: sampling {:.2f}, propagation {:.2f}, gradient {:.2f}, optimiser "
                    "{:.2f}, evaluation {:.2f}{}",
                    s.total(), s.sampling, s.propagation, s.gradient, s.optimiser, s.evaluation,
                    remaining(report.epoch + 1));
}

void TrainingProgress::rewrite(const std::string& text) {
  fmt::print(stderr, "\r{:<{}}", text, shown_);
  std::fflush(stderr);
  shown_ = std::max(shown_, text.size());
  since_shown_ = Stopwatch();
}

void TrainingProgress::on_progress(uint32_t epoch, double share) {
  if (!has_first_) {
    has_first_ = true;
    first_epoch_ = epoch;
  }
  if (quiet_ || !terminal_ || since_shown_.seconds() < kRewriteSeconds) return;
  rewrite(
      fmt::format("epoch {} {:3.0f} %{}{}", epoch, 100 * share, last_.empty() ? "" : " | ", last_));
}

void TrainingProgress::on_epoch(const EpochReport& report) {
  if (quiet_) return;
  last_ = epoch_text(report);
  if (terminal_) {
    if (since_shown_.seconds() >= kRewriteSeconds) rewrite(last_);
    return;
  }
  const bool first = report.epoch == first_epoch_;
  if (!first && !report.metric && since_shown_.seconds() < kPlainLineSeconds) return;
  fmt::print(stderr, "{}\n", last_);
  since_shown_ = Stopwatch();
}

}  // namespace divns::app
