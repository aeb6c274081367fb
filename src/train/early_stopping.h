// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace divns {

// Keeps the best validation result so far. A tie counts as an improvement.
class EarlyStopping {
 public:
  explicit EarlyStopping(uint32_t patience_epochs) : patience_(patience_epochs) {}

  // Returns true if this is the best result so far.
  bool observe(uint32_t epoch, double value) {
    last_epoch_ = epoch;
    if (seen_ && value < best_) return false;
    seen_ = true;
    best_ = value;
    best_epoch_ = epoch;
    return true;
  }
  bool should_stop() const { return seen_ && last_epoch_ - best_epoch_ >= patience_; }

  bool seen() const { return seen_; }
  double best() const { return best_; }
  uint32_t best_epoch() const { return best_epoch_; }
  uint32_t last_epoch() const { return last_epoch_; }
  void restore(bool seen, double best, uint32_t best_epoch, uint32_t last_epoch) {
    seen_ = seen;
    best_ = best;
    best_epoch_ = best_epoch;
    last_epoch_ = last_epoch;
  }

 private:
  uint32_t patience_;
  bool seen_ = false;
  double best_ = 0;
  uint32_t best_epoch_ = 0;
  uint32_t last_epoch_ = 0;
};

}  // namespace divns
