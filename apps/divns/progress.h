// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "divns/stopwatch.h"
#include "divns/study.h"
#include "divns/train.h"

namespace divns::app {

// One line on standard error that rewrites itself on a terminal and never exceeds its width; plain
// lines elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_rewritten() const { return terminal_; }
  // Shows the text if the last one has stood for a moment; plain lines come far apart unless it
  // `matters`.
  void show(const std::string& text, bool matters);

 private:
  bool quiet_;
  bool terminal_;
  bool shown_ = false;
  Stopwatch since_shown_;
};

// "sampling 1.2 s, propagation ..." as one line, for the summary of a training.
std::string phase_text(const PhaseSeconds& seconds);
// The text cut to this many characters, "..." at the end where something is missing.
std::string cut_to(const std::string& text, size_t columns);

// What a training says while it runs.
class TrainingProgress {
 public:
  TrainingProgress(int epochs, bool quiet) : epochs_(epochs), line_(quiet) {}

  void on_progress(uint32_t epoch, double share);
  void on_epoch(const EpochReport& report);

 private:
  std::string epoch_text(const EpochReport& report) const;
  std::string remaining(uint32_t epochs_done) const;

  int epochs_;
  ProgressLine line_;
  bool has_first_ = false;
  uint32_t first_epoch_ = 0;  // of this process: a resumed run starts later
  std::string last_;
  Stopwatch since_start_;
};

// What a study says while its runs go on.
class StudyProgressLine {
 public:
  explicit StudyProgressLine(bool quiet) : line_(quiet) {}
  void on_progress(const StudyProgress& progress);

 private:
  ProgressLine line_;
  size_t done_ = 0;
};

}  // namespace divns::app
