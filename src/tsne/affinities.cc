// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "divns/recommend.h"
#include "divns/table.h"
#include "numerics/squared_distance.h"
#include "tsne/tsne.h"

namespace divns {
namespace {

constexpr size_t kAffinityRowsPerChunk = 64;

// The k nearest neighbours of each point. |a - b|^2 = |a|^2 - 2 (a.b - |b|^2 / 2), so the nearest
// points of a are the items with the largest product (a, 1).(b, -|b|^2 / 2). This is a
// recommendation problem in which each point is masked from its own list.
TopItems nearest_neighbours(const VectorTable& points, uint32_t k, const Executor& executor) {
  Table queries(points.rows, points.dim + 1), items(points.rows, points.dim + 1);
  for (uint32_t i = 0; i < points.rows; ++i) {
    std::copy_n(points.row(i), points.dim, queries.row(i));
    std::copy_n(points.row(i), points.dim, items.row(i));
    double square = 0;
    for (uint32_t c = 0; c < points.dim; ++c)
      square += static_cast<double>(points.row(i)[c]) * static_cast<double>(points.row(i)[c]);
    queries.row(i)[points.dim] = 1;
    items.row(i)[points.dim] = static_cast<float>(-square / 2);
  }
  std::vector<uint64_t> offsets(points.rows + 1);
  std::vector<uint32_t> rows(points.rows);
  std::iota(offsets.begin(), offsets.end(), 0);
  std::iota(rows.begin(), rows.end(), 0);
  return recommend(
      queries.view(), rows, items.view(),
      {.k = k, .seen = Interactions{offsets, rows, points.rows}, .threads = executor.threads()});
}

// exp(-precision * distance) / sum, with the precision at which the entropy is log(perplexity). The
// entropy decreases with the precision, so bisection finds it.
void fit_gaussian(std::span<double> distances, double perplexity) {
  const double nearest = *std::min_element(distances.begin(), distances.end());
  for (double& distance : distances) distance -= nearest;
  double low = 0, high = std::numeric_limits<double>::infinity(), precision = 1;
  double sum = 0;
  for (int step = 0; step < 200; ++step) {
    sum = 0;
    double weighted = 0;
    for (const double distance : distances) {
      const double p = std::exp(-precision * distance);
      sum += p;
      weighted += p * distance;
    }
    const double excess = std::log(sum) + precision * weighted / sum - std::log(perplexity);
    if (std::abs(excess) < 1e-10) break;
    (excess > 0 ? low : high) = precision;
    precision = std::isinf(high) ? 2 * precision : (low + high) / 2;
    // If all neighbours have the same distance, the entropy does not depend on the precision.
    if (precision > 1e300 || precision == low || precision == high) break;
  }
  for (double& distance : distances) distance = std::exp(-precision * distance);
  sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  for (double& p : distances) p /= sum;
}

// Both directions of every pair, rows by ascending column, equal columns added.
TsneAffinities symmetrise(const TopItems& neighbours, const std::vector<double>& conditional) {
  const size_t n = neighbours.lengths.size(), k = neighbours.k;
  std::vector<std::vector<std::pair<uint32_t, double>>> rows(n);
  for (uint32_t i = 0; i < n; ++i)
    for (size_t t = 0; t < k; ++t) {
      const uint32_t j = neighbours.items[i * k + t];
      const double half = conditional[i * k + t] / (2 * static_cast<double>(n));
      rows[i].emplace_back(j, half);
      rows[j].emplace_back(i, half);
    }
  TsneAffinities result;
  result.offsets.push_back(0);
  for (auto& row : rows) {
    // At most two entries share a column, so their sum does not depend on the order.
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : row) {
      const bool again =
          result.columns.size() > result.offsets.back() && result.columns.back() == column;
      if (again) {
        result.values.back() += value;
      } else {
        result.columns.push_back(column);
        result.values.push_back(value);
      }
    }
    result.offsets.push_back(result.columns.size());
    row = {};
  }
  return result;
}

}  // namespace

TsneAffinities tsne_affinities(const VectorTable& points, double perplexity,
                               const Executor& executor) {
  if (!(perplexity >= 1) || perplexity >= static_cast<double>(points.rows) - 1)
    fail(
        "a map of {} points with perplexity {}: the perplexity stands for a number of neighbours, "
        "so from 1 to less than the {} others. Give a smaller one, or more points.",
        points.rows, perplexity, std::max(points.rows, 1U) - 1);
  const auto wanted = static_cast<uint32_t>(std::ceil(3 * perplexity));
  const uint32_t k = std::min(wanted, points.rows - 1);
  const TopItems neighbours = nearest_neighbours(points, k, executor);
  std::vector<double> conditional(size_t{points.rows} * k);
  executor.for_chunks(points.rows, kAffinityRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      DIVNS_ASSERT(neighbours.lengths[i] == k);
      const std::span<double> row = std::span(conditional).subspan(i * k, k);
      for (size_t t = 0; t < k; ++t)
        row[t] = squared_distance(points, static_cast<uint32_t>(i), neighbours.items[i * k + t]);
      fit_gaussian(row, perplexity);
    }
  });
  return symmetrise(neighbours, conditional);
}

}  // namespace divns
