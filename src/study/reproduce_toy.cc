// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "divns/dpp.h"
#include "divns/random.h"
#include "study/reproduce_parts.h"

namespace divns {
namespace {

constexpr size_t kChosen = 15;  // the paper's k
constexpr int kDraws = 25;      // number of draws for the means; the first one is plotted

// How a set of points covers the clusters.
struct Spread {
  double clusters = 0;  // number of clusters reached
  double nearest = 0;   // mean distance of a chosen point to the nearest other
};

Spread spread_of(const ToyClusters& toy, const std::vector<uint32_t>& chosen) {
  std::set<int> reached;
  double sum = 0;
  for (const uint32_t i : chosen) {
    reached.insert(toy.groups[i]);
    double nearest = std::numeric_limits<double>::infinity();
    for (const uint32_t j : chosen) {
      if (i == j) continue;
      const float* a = toy.points().row(i);
      const float* b = toy.points().row(j);
      nearest = std::min(nearest, static_cast<double>(std::hypot(a[0] - b[0], a[1] - b[1])));
    }
    sum += nearest;
  }
  return {static_cast<double>(reached.size()), sum / static_cast<double>(chosen.size())};
}

}  // namespace

void reproduce_toy(Reproduction& result) {
  const ToyClusters toy = make_toy_clusters(1);
  const auto points = static_cast<uint32_t>(toy.groups.size());
  const std::vector<double> kernel = gaussian_kernel(toy.points(), {}, 0);
  const auto uniform = [&](int draw) {
    std::vector<uint32_t> chosen(kChosen);
    Draws draws = Random(1, "figure.toy").draws(static_cast<uint32_t>(draw));
    sample_without_replacement(draws, points, chosen);
    return chosen;
  };
  const DenseKdpp dpp(kernel, points);
  const auto by_dpp = [&](int draw) {
    return dpp.draw(kChosen, static_cast<uint64_t>(draw) + 1).items;
  };

  result.data = ReportTable(result.paper.title, {{"x"}, {"y"}, {"cluster"}, {"method"}, {"point"}});
  ReportTable table(fmt::format("{} points in {} clusters of unequal size, {} chosen", points,
                                ToyClusters::kGroups, kChosen),
                    {{"method"}, {"clusters reached"}, {"distance to the nearest chosen"}});
  const auto add = [&](const char* name, const auto& choose) {
    const std::vector<uint32_t> shown = choose(0);
    const std::set<uint32_t> stars(shown.begin(), shown.end());
    // Stars last, so that they are on top.
    for (const bool star : {false, true})
      for (uint32_t i = 0; i < points; ++i) {
        if (stars.contains(i) != star) continue;
        result.data.add({Figure{.value = static_cast<double>(toy.points().row(i)[0])},
                         Figure{.value = static_cast<double>(toy.points().row(i)[1])},
                         fmt::format("cluster {}", toy.groups[i] + 1), name,
                         star ? "chosen" : "item"});
      }
    Spread mean;
    for (int draw = 0; draw < kDraws; ++draw) {
      const Spread spread = spread_of(toy, choose(draw));
      mean.clusters += spread.clusters / kDraws;
      mean.nearest += spread.nearest / kDraws;
    }
    result.figures.push_back(
        {.sampler = name, .metric = "clusters_reached", .value = mean.clusters});
    result.figures.push_back(
        {.sampler = name, .metric = "nearest_distance", .value = mean.nearest});
    table.add({name, Figure{.value = mean.clusters, .digits = 2},
               Figure{.value = mean.nearest, .digits = 3}});
  };
  add("uniform", uniform);
  add("k-DPP", by_dpp);
  table.mark_best(1);
  table.mark_best(2);
  table.add_note(
      fmt::format("Means over {} draws; the first is drawn. Gaussian kernel, as wide as "
                  "half the median distance.",
                  kDraws));
  result.tables.push_back(std::move(table));
  result.chart = {.kind = ChartKind::kScatter,
                  .title = result.paper.title,
                  .subtitle = result.paper.source,
                  .x = {.column = "x"},
                  .y = {.column = "y"},
                  .colour = {.column = "cluster", .type = Channel::Type::kName},
                  .shape = {.column = "point", .type = Channel::Type::kName},
                  .facet = {.column = "method", .title = " ", .type = Channel::Type::kName},
                  .hide_axes = true};
}

}  // namespace divns
