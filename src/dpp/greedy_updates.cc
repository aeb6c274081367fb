// SPDX-License-Identifier: Apache-2.0
// After row j is chosen with w, (b_i . w)^2 is subtracted from every residual: O(N d + d^2) per
// pick.
#include <algorithm>

#include "dpp/greedy.h"
#include "kernels/dpp_gains.h"
#include "kernels/row_dots.h"

namespace divns {

size_t next_pick(const FeatureRows& rows, std::span<const double> residual, const Picks& picks) {
  const std::span<const double> gains = picks.size() == 0 ? rows.first_gains() : residual;
  return static_cast<size_t>(std::max_element(gains.begin(), gains.end()) - gains.begin());
}

void greedy_updates(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks) {
  scratch.space.reset(problem.rows.stride(), problem.jitter);
  const auto squares = problem.rows.squares();
  scratch.residual.assign(squares.begin(), squares.end());
  continue_updates(problem, scratch, picks);
}

void continue_updates(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks) {
  const FeatureRows& rows = problem.rows;
  auto& residual = scratch.residual;
  scratch.dots.resize(rows.size());
  while (picks.size() < problem.k) {
    const size_t best = next_pick(rows, residual, picks);
    const double left = scratch.space.residual(rows.row(best));
    if (left <= problem.smallest_residual) return;
    picks.add(best, problem.jitter + left);
    residual[best] = -1;
    if (picks.size() == problem.k) return;
    row_dots(rows.data(), rows.stride(), rows.size(), scratch.space.choose(), scratch.dots.data());
    subtract_squares(residual.data(), scratch.dots.data(), rows.size());
  }
}

}  // namespace divns
