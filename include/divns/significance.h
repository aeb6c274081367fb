// SPDX-License-Identifier: Apache-2.0
// Paired significance tests: values of the same user (or the same seed) under two methods. All
// tests are two-sided; d_i = a_i - b_i.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/parallel.h"

namespace divns {

// Student's t on the differences: t = mean(d) / (sd(d) / sqrt(n)), n - 1 degrees of freedom.
struct PairedT {
  size_t n = 0;
  double mean = 0;  // of the differences
  double sd = 0;    // of the differences, n - 1 in the denominator
  double t = 0;     // infinite if all differences are equal and not 0
  double p = 1;     // 1 if n < 2 or all differences are 0
  double dz = 0;    // Cohen's effect size: mean / sd
};
PairedT paired_t_test(std::span<const double> differences);

// Wilcoxon's signed-rank test. Differences of 0 are dropped, ties of |d| share their mean rank.
// Exact for at most 50 differences without zeros and ties; otherwise the normal approximation with
// tie correction.
struct SignedRank {
  size_t n = 0;         // differences that are not 0
  double positive = 0;  // sum of the ranks of d > 0
  double negative = 0;  // sum of the ranks of d < 0
  bool exact = false;
  double p = 1;              // 1 if n is 0
  double rank_biserial = 0;  // effect size for matched pairs: (positive - negative) / their sum
};
SignedRank wilcoxon_signed_rank(std::span<const double> differences);

// Holm's correction for a family of tests: in ascending order, p_(i) times the number of tests not
// yet passed, never below an earlier one, at most 1. Returned in the given order.
std::vector<double> holm(std::span<const double> p_values);

struct Interval {
  double low = 0;
  double high = 0;
};

struct BootstrapOptions {
  uint32_t resamples = 2000;
  double confidence = 0.95;
  uint64_t seed = 1;
};

// Percentile intervals of the means of several columns whose rows belong together (one row per
// user), so that every column uses the same resamples. `rows` is row-major, n x columns. The same
// bits for any number of threads.
std::vector<Interval> bootstrap_means(std::span<const double> rows, size_t columns,
                                      const BootstrapOptions& options, const Executor& executor);

}  // namespace divns
