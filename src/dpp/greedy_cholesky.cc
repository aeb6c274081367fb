// SPDX-License-Identifier: Apache-2.0
// Row t of the factor is c_t = (B b_j - sum_{s<t} c_s[j] c_s) / sqrt(gain), and c_t^2 is subtracted
// from every residual: O(N (d + t)) for pick t, nothing of size d^2.
#include <algorithm>
#include <cmath>

#include "dpp/greedy.h"
#include "kernels/dpp_gains.h"
#include "kernels/row_dots.h"

namespace divns {

void greedy_cholesky(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks) {
  const FeatureRows& rows = problem.rows;
  const size_t n = rows.size();
  auto& residual = scratch.residual;
  auto& factor = scratch.factor;
  const auto squares = rows.squares();
  residual.assign(squares.begin(), squares.end());
  const size_t width = padded_width(n);
  factor.resize(problem.k * width);
  scratch.dots.resize(rows.stride());
  scratch.along.resize(problem.k);
  while (picks.size() < problem.k) {
    const size_t best = next_pick(rows, residual, picks);
    if (residual[best] <= problem.smallest_residual) return;
    const double gain = problem.jitter + residual[best];
    const size_t t = picks.size();
    picks.add(best, gain);
    residual[best] = -1;
    if (picks.size() == problem.k) return;
    std::copy_n(rows.row(best), rows.stride(), scratch.dots.begin());
    double* const current = factor.data() + t * width;
    row_dots(rows.data(), rows.stride(), n, scratch.dots.data(), current);
    std::fill(current + n, current + width, 0.0);
    for (size_t s = 0; s < t; ++s) scratch.along[s] = factor[s * width + best];
    subtract_combination(current, width, factor.data(), t, scratch.along.data());
    const double scale = 1 / std::sqrt(gain);
    for (size_t i = 0; i < n; ++i) current[i] *= scale;
    subtract_squares(residual.data(), current, n);
  }
}

}  // namespace divns
