// SPDX-License-Identifier: Apache-2.0
#include "dpp/greedy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dpp/tolerance.h"

namespace divns {
namespace {

void run(const GreedyProblem& problem, DppAlgorithm algorithm, GreedyScratch& scratch,
         Picks& picks) {
  if (problem.k == 0) return;
  if (algorithm == DppAlgorithm::kAuto)
    algorithm = choose_algorithm(problem.rows.size(), problem.rows.dim(), problem.k);
  switch (algorithm) {
    case DppAlgorithm::kCholesky:
      return greedy_cholesky(problem, scratch, picks);
    case DppAlgorithm::kUpdates:
      return greedy_updates(problem, scratch, picks);
    default:
      return greedy_lazy(problem, scratch, picks);
  }
}

// Repeats the greedy choice on the remaining rows, each time from the empty set. Rows of length
// zero come last, in their order, because they are equivalent.
void run_rounds(const FeatureRows& rows, size_t k, const DppConfig& config, double tolerance,
                GreedyScratch& scratch, Picks& picks) {
  auto& numbers = scratch.numbers;  // indices in `rows` of the remaining rows
  numbers.resize(rows.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  auto& keep = scratch.keep;
  keep.assign(rows.size(), 1);
  while (picks.size() < k) {
    scratch.remaining.pack_kept(rows, keep);
    scratch.round.clear();
    run({scratch.remaining, std::min(k - picks.size(), scratch.remaining.size()), 0, tolerance},
        config.algorithm, scratch, scratch.round);
    if (scratch.round.size() == 0) break;
    for (size_t t = 0; t < scratch.round.size(); ++t) {
      const uint32_t row = numbers[scratch.round.rows[t]];
      picks.add(row, scratch.round.gains[t]);
      keep[row] = 0;
    }
    numbers.erase(std::remove_if(numbers.begin(), numbers.end(),
                                 [&](uint32_t row) { return keep[row] == 0; }),
                  numbers.end());
  }
  for (size_t i = 0; picks.size() < k; ++i) picks.add(numbers[i], 0);
}

}  // namespace

void greedy(const FeatureRows& rows, size_t k, const DppConfig& config, GreedyScratch& scratch,
            Picks& picks) {
  picks.clear();
  k = std::min(k, rows.size());
  const double tolerance = kRankTolerance * rows.largest_square();
  switch (config.rank_policy) {
    case RankPolicy::kJitter:
      run({rows, k, scaled_jitter(rows, config.jitter), -1}, config.algorithm, scratch, picks);
      break;
    case RankPolicy::kStop:
      run({rows, k, 0, tolerance}, config.algorithm, scratch, picks);
      break;
    case RankPolicy::kRounds:
      run_rounds(rows, k, config, tolerance, scratch, picks);
      break;
  }
  unscale_gains(rows, picks);
}

double scaled_jitter(const FeatureRows& rows, double jitter) {
  // Within what float64 can square and invert; beyond it the jitter is all or nothing anyway.
  return std::clamp(std::ldexp(jitter, 2 * rows.scale_exponent()), 1e-290, 1e290);
}

void unscale_gains(const FeatureRows& rows, Picks& picks) {
  if (rows.scale_exponent() == 0) return;
  for (double& gain : picks.gains) gain = std::ldexp(gain, -2 * rows.scale_exponent());
}

DppAlgorithm choose_algorithm(size_t rows, size_t dim, size_t k) {
  return k * rows <= 16 * dim ? DppAlgorithm::kCholesky : DppAlgorithm::kLazy;
}

}  // namespace divns
