// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/adam.h"
#include "train/rate_schedule.h"

namespace divns {

// The learning rate and the root of a step, with the corrections of their bias (see AdamStep).
struct AdamCorrections {
  double rate;
  double root;
};

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;

  // Of step t = 1, 2, ...
  AdamCorrections corrections(double learning_rate, double t) const;
  AdamStep step(const AdamCorrections& corrections) const;
};

// Counts steps. For a row that was last updated at step t0, it gives the coefficients of all that
// dense Adam does to the row up to a later step with zero gradient:
//   p <- p - m sum_s c_s / (sqrt(v) r_s + epsilon),  s = 1 .. k,
//   c_s = rate(t0 + s) beta1^s,  r_s = root(t0 + s) beta2^(s/2).
// For early steps, where the bias corrections change quickly, the sum is computed term by term.
// Later r_s is nearly constant over the terms that matter (beta1^s decays), and a Gauss rule with
// two nodes for the weights c_s gives the sum with a relative error of about 1e-6, at the cost of a
// single step. Gaps of one and two steps are exact. None of this depends on gradients, so the later
// step may lie in the future.
class AdamClock {
 public:
  AdamClock(double learning_rate, const AdamOptions& options, const RateSchedule& schedule = {});

  uint64_t step() const { return step_; }
  // Begins the next step. Every row that was current must now be stepped, or be caught up later.
  void advance();
  AdamStep current() const;
  // The coefficients from step t0 to step `to`, where last settle() <= t0 <= step() <= to and
  // t0 < to.
  AdamCatchUp between(uint64_t t0, uint64_t to) const;
  // Call when every row is current: older steps are forgotten.
  void settle();
  // For a training that is resumed, with every row current.
  void restart_at(uint64_t step);
  // Call when every row is current: all will be current again at this step, so no gap is longer.
  void set_horizon(uint64_t step);

 private:
  // What between() returns for one t0. If sums are computed term by term (`replayed`): the terms in
  // order. Otherwise the terms of the gaps of one and two, then two nodes for each longer gap.
  struct Gaps {
    std::vector<float> weights;
    std::vector<float> roots;
    bool replayed;
  };
  void know_corrections();
  const AdamCorrections& corrections(uint64_t step) const {
    return corrections_[step - settled_ - 1];
  }
  Gaps gaps_after(uint64_t t0) const;
  uint64_t longest_gap(uint64_t t0) const;

  double learning_rate_;
  AdamOptions options_;
  RateSchedule schedule_;
  // beta1^s and beta2^(s/2) for the gaps that matter.
  std::vector<double> beta1_powers_;
  std::vector<double> beta2_half_powers_;
  uint64_t step_ = 0;
  uint64_t settled_ = 0;
  uint64_t horizon_ = std::numeric_limits<uint64_t>::max();
  std::vector<AdamCorrections> corrections_;  // of steps settled_ + 1, settled_ + 2, ...
  std::vector<Gaps> gaps_;                    // of t0 = settled_, settled_ + 1, ...
};

}  // namespace divns
