// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/adam.h"

namespace divns {

struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;

  // The numbers of a step with these corrections of its bias.
  AdamStep step(double rate, double root) const;
};

// Counts steps and knows, for a row last brought up to date at step t0, all that dense Adam would
// do to it by a later step with zero gradient:
//   p <- p - m sum_s c_s / (sqrt(v) r_s + epsilon),  s = 1 .. k,
//   c_s = rate(t0 + s) beta1^s,  r_s = root(t0 + s) beta2^(s/2).
// The sum is replayed as it stands for early steps, where the bias corrections change fast. Later
// r_s hardly varies over the steps that matter (beta1^s fades), and two nodes of the Gauss rule for
// the weights c_s give the sum to about 1e-6 of itself, at the price of a single step. Gaps of one
// and two are exact. Nothing of this depends on gradients, so the later step may be one that has
// not been made yet.
class AdamClock {
 public:
  explicit AdamClock(const AdamOptions& options);

  uint64_t step() const { return step_; }
  // The next step: every row that was current must now be stepped or be caught up later.
  void advance();
  AdamStep current() const;
  // From step t0, no earlier than the last settle() and no later than step(), to a step after it,
  // no earlier than step().
  AdamCatchUp between(uint64_t t0, uint64_t to) const;
  // Every row is current: forget older steps.
  void settle();
  // For a run that goes on where another stopped, with every row current.
  void restart_at(uint64_t step);
  // Every row is current, and will be again by this step at the latest: gaps end there.
  void set_horizon(uint64_t step);

 private:
  // The bias corrections of a step.
  struct Corrections {
    double rate;
    double root;
  };
  // What between() returns for one t0: the terms of replayed sums one after another; otherwise
  // those of the gaps of one and two, then two nodes for each longer gap.
  struct Gaps {
    std::vector<float> weights;
    std::vector<float> roots;
    bool replayed;
  };
  void know_corrections();
  const Corrections& corrections(uint64_t step) const { return corrections_[step - settled_ - 1]; }
  Gaps gaps_after(uint64_t t0) const;
  uint64_t longest_gap(uint64_t t0) const;

  AdamOptions options_;
  // beta1^s and beta2^(s/2) for the gaps that matter.
  std::vector<double> beta1_powers_;
  std::vector<double> beta2_half_powers_;
  uint64_t step_ = 0;
  uint64_t settled_ = 0;
  uint64_t horizon_ = std::numeric_limits<uint64_t>::max();
  std::vector<Corrections> corrections_;  // of steps settled_ + 1, settled_ + 2, ...
  std::vector<Gaps> gaps_;                // of t0 = settled_, settled_ + 1, ...
};

}  // namespace divns
