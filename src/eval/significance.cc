// SPDX-License-Identifier: Apache-2.0
#include "divns/significance.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "divns/random.h"
#include "numerics/moments.h"

namespace divns {
namespace {

constexpr size_t kMostExact = 50;

double two_sided_normal(double z) {
  using boost::math::complement;
  return std::min(1.0, 2 * boost::math::cdf(complement(boost::math::normal(), std::fabs(z))));
}

// P(W <= w) * 2 for the sum W of a random subset of the ranks 1..n, each included with probability
// 1/2.
double exact_signed_rank(size_t n, double w) {
  // ways[s]: number of subsets of the first ranks with sum s; at most 2^50 in total, so doubles are
  // exact.
  std::vector<double> ways(n * (n + 1) / 2 + 1, 0);
  ways[0] = 1;
  for (size_t rank = 1; rank <= n; ++rank)
    for (size_t sum = rank * (rank + 1) / 2; sum >= rank; --sum) ways[sum] += ways[sum - rank];
  double below = 0;
  for (size_t sum = 0; sum <= static_cast<size_t>(w); ++sum) below += ways[sum];
  return std::min(1.0, 2 * below / std::exp2(static_cast<double>(n)));
}

// Quantile q of ascending values, interpolated linearly.
double quantile(std::span<const double> sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<size_t>(place);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

}  // namespace

PairedT paired_t_test(std::span<const double> differences) {
  PairedT result;
  result.n = differences.size();
  if (result.n == 0) return result;
  const auto n = static_cast<double>(result.n);
  const Moments over = moments(differences);
  result.mean = over.mean;
  result.sd = over.sd;
  if (result.n < 2) return result;
  if (result.sd == 0) {
    if (result.mean == 0) return result;
    result.dz = result.t = std::copysign(std::numeric_limits<double>::infinity(), result.mean);
    result.p = 0;
    return result;
  }
  result.dz = result.mean / result.sd;
  result.t = result.dz * std::sqrt(n);
  using boost::math::complement;
  const boost::math::students_t law(n - 1);
  result.p = std::min(1.0, 2 * boost::math::cdf(complement(law, std::fabs(result.t))));
  return result;
}

SignedRank wilcoxon_signed_rank(std::span<const double> differences) {
  std::vector<double> kept;
  for (const double d : differences)
    if (d != 0) kept.push_back(d);
  SignedRank result;
  result.n = kept.size();
  if (kept.empty()) return result;
  std::sort(kept.begin(), kept.end(),
            [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  double ties = 0;  // sum of t^3 - t over groups of t equal values
  for (size_t begin = 0; begin < kept.size();) {
    size_t end = begin + 1;
    while (end < kept.size() && std::fabs(kept[end]) == std::fabs(kept[begin])) ++end;
    const auto size = static_cast<double>(end - begin);
    const double rank = static_cast<double>(begin) + (size + 1) / 2;
    ties += size * size * size - size;
    for (; begin < end; ++begin) (kept[begin] > 0 ? result.positive : result.negative) += rank;
  }
  const auto n = static_cast<double>(kept.size());
  const double smaller = std::min(result.positive, result.negative);
  result.rank_biserial = (result.positive - result.negative) / (result.positive + result.negative);
  result.exact = kept.size() == differences.size() && kept.size() <= kMostExact && ties == 0;
  if (result.exact) {
    result.p = exact_signed_rank(kept.size(), smaller);
  } else {
    const double mean = n * (n + 1) / 4;
    const double variance = (n * (n + 1) * (2 * n + 1) - ties / 2) / 24;
    result.p = two_sided_normal((smaller - mean) / std::sqrt(variance));
  }
  return result;
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> corrected(p_values.size());
  double largest = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    largest = std::max(largest, std::min(1.0, left * p_values[order[i]]));
    corrected[order[i]] = largest;
  }
  return corrected;
}

std::vector<Interval> bootstrap_means(std::span<const double> rows, size_t columns,
                                      const BootstrapOptions& options, const Executor& executor) {
  DIVNS_ASSERT(columns > 0 && rows.size() % columns == 0);
  DIVNS_ASSERT(options.resamples > 0 && options.confidence > 0 && options.confidence < 1);
  const size_t n = rows.size() / columns;
  std::vector<Interval> intervals(columns);
  if (n == 0) return intervals;
  std::vector<double> means(columns * options.resamples);  // by column
  const Random random(options.seed, "bootstrap");
  executor.for_chunks(options.resamples, 16, [&](size_t begin, size_t end) {
    std::vector<double> sums(columns);
    for (size_t r = begin; r < end; ++r) {
      std::fill(sums.begin(), sums.end(), 0.0);
      Draws draws = random.draws(static_cast<uint32_t>(r));
      for (size_t i = 0; i < n; ++i) {
        const double* row = rows.data() + size_t{draws.below(static_cast<uint32_t>(n))} * columns;
        for (size_t c = 0; c < columns; ++c) sums[c] += row[c];
      }
      for (size_t c = 0; c < columns; ++c)
        means[c * options.resamples + r] = sums[c] / static_cast<double>(n);
    }
  });
  for (size_t c = 0; c < columns; ++c) {
    const std::span<double> column =
        std::span(means).subspan(c * options.resamples, options.resamples);
    std::sort(column.begin(), column.end());
    intervals[c] = {quantile(column, (1 - options.confidence) / 2),
                    quantile(column, (1 + options.confidence) / 2)};
  }
  return intervals;
}

}  // namespace divns
