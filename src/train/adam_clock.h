// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/adam.h"

namespace divns {

struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

// Counts steps and knows, for a row last brought up to date at step t0, all that dense Adam would
// have done to it since with zero gradient:
//   p <- p - m sum_s c_s / (sqrt(v) r_s + epsilon),  s = 1 .. k,
//   c_s = rate(t0 + s) beta1^s,  r_s = root(t0 + s) beta2^(s/2).
// The sum is replayed as it stands for early steps, where the bias corrections change fast. Later
// r_s hardly varies over the steps that matter (beta1^s fades), and two nodes of the Gauss rule for
// the weights c_s give the sum to about 1e-6 of itself, at the price of a single step. Gaps of one
// and two are exact.
class AdamClock {
 public:
  explicit AdamClock(const AdamOptions& options);

  uint64_t step() const { return step_; }
  // The next step: every row that was current must now be stepped or be caught up later.
  void advance();
  AdamStep current() const;
  // From step t0 < step() to step(). t0 is no earlier than the last settle().
  AdamCatchUp since(uint64_t t0) const;
  // Every row is current: forget older steps.
  void settle();
  // For a run that goes on where another stopped, with every row current.
  void restart_at(uint64_t step);

 private:
  // Moments of the weights c_s over the relative distance of r_s from r_1.
  struct Gap {
    double moments[4] = {};
    double first_root = 0;
    std::vector<float> weights;
    std::vector<float> roots;
    bool replayed = true;
  };
  void lengthen(Gap& gap, uint64_t length);

  AdamOptions options_;
  // beta1^s and beta2^(s/2) for the gaps that matter.
  std::vector<double> beta1_powers_;
  std::vector<double> beta2_half_powers_;
  double rate_ = 0;
  double root_ = 0;
  uint64_t step_ = 0;
  uint64_t settled_ = 0;
  std::vector<Gap> gaps_;  // of t0 = settled_, settled_ + 1, ...
};

}  // namespace divns
