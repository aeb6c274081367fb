// SPDX-License-Identifier: Apache-2.0
#include "samplers/dens/contrastive_loss.h"

#include <algorithm>
#include <cmath>

namespace divns {
namespace {

// log(1 + sum_k exp x(k)); calls slope(k, exp x(k) / (1 + sum)) for every k. Finite for any x.
template <class X, class Slope>
double log_one_plus_sum(size_t count, X&& x, Slope&& slope) {
  double top = 0;
  for (size_t k = 0; k < count; ++k) top = std::max(top, x(k));
  double sum = std::exp(-top);
  for (size_t k = 0; k < count; ++k) sum += std::exp(x(k) - top);
  for (size_t k = 0; k < count; ++k) slope(k, std::exp(x(k) - top) / sum);
  return top + std::log(sum);
}

}  // namespace

void contrastive_loss(const ContrastiveScores& s, ContrastiveLoss& out) {
  const size_t count = s.negative_relevant.size();
  ContrastiveScores& d = out.slopes;
  d.positive_relevant = d.positive_rest = 0;
  d.negative_relevant.assign(count, 0);
  d.negative_rest.assign(count, 0);
  constexpr double kShare = 0.25;
  out.terms[0] = log_one_plus_sum(
      1, [&](size_t) { return s.positive_rest - s.positive_relevant; },
      [&](size_t, double p) {
        d.positive_rest += kShare * p;
        d.positive_relevant -= kShare * p;
      });
  out.terms[1] = log_one_plus_sum(
      count, [&](size_t k) { return s.negative_relevant[k] - s.negative_rest[k]; },
      [&](size_t k, double p) {
        d.negative_relevant[k] += kShare * p;
        d.negative_rest[k] -= kShare * p;
      });
  out.terms[2] = log_one_plus_sum(
      count, [&](size_t k) { return s.negative_relevant[k] - s.positive_relevant; },
      [&](size_t k, double p) {
        d.negative_relevant[k] += kShare * p;
        d.positive_relevant -= kShare * p;
      });
  out.terms[3] = log_one_plus_sum(
      count, [&](size_t k) { return s.positive_rest - s.negative_rest[k]; },
      [&](size_t k, double p) {
        d.positive_rest += kShare * p;
        d.negative_rest[k] -= kShare * p;
      });
}

}  // namespace divns
