// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/stopwatch.h"
#include "train/trainer.h"

namespace divns::app {

// What a training says while it runs, on standard error: one line that rewrites itself on a
// terminal, plain lines elsewhere.
class TrainingProgress {
 public:
  TrainingProgress(int epochs, bool quiet);
  ~TrainingProgress();

  void on_progress(uint32_t epoch, double share);
  void on_epoch(const EpochReport& report);

 private:
  std::string epoch_text(const EpochReport& report) const;
  std::string remaining(uint32_t epochs_done) const;
  void rewrite(const std::string& text);

  int epochs_;
  bool quiet_;
  bool terminal_;
  bool has_first_ = false;
  uint32_t first_epoch_ = 0;  // of this process: a resumed run starts later
  std::string last_;
  size_t shown_ = 0;
  Stopwatch since_start_;
  Stopwatch since_shown_;
};

}  // namespace divns::app
