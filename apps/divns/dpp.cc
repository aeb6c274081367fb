// SPDX-License-Identifier: Apache-2.0
#include "divns/dpp.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "base/random.h"
#include "divns/dpp_plot.h"
#include "divns/verbs.h"
#include "dpp/gaussian_kernel.h"
#include "dpp/toy_clusters.h"
#include "io/matrix_file.h"
#include "linalg/symmetric_eigen.h"
#include "report/text_table.h"

namespace divns::app {
namespace {

enum class ItemKernel { kLinear, kGaussian };

VectorTable view(const NpyArray<float>& table) {
  const auto columns = static_cast<uint32_t>(table.columns);
  return {table.values.data(), static_cast<uint32_t>(table.rows), columns, columns};
}

struct Input {
  NpyArray<float> table;
  std::vector<int> groups;  // of the toy alone
};

Input toy_input(uint64_t seed) {
  const ToyClusters toy = make_toy_clusters(seed);
  Input input;
  input.table.rows = toy.groups.size();
  input.table.columns = 2;
  input.table.values.assign(toy.values.begin(), toy.values.end());
  input.groups = toy.groups;
  return input;
}

// The two directions in which the rows differ most, or the rows themselves in the plane.
std::vector<Point> to_plane(const NpyArray<float>& table) {
  const size_t d = table.columns;
  std::vector<double> mean(d, 0.0), scatter(d * d, 0.0);
  std::vector<Point> points(table.rows);
  const auto value = [&](size_t i, size_t c) { return static_cast<double>(table.row(i)[c]); };
  if (d <= 2) {
    for (size_t i = 0; i < table.rows; ++i)
      points[i] = {value(i, 0), d == 2 ? value(i, 1) : 0.0, 0};
    return points;
  }
  for (size_t i = 0; i < table.rows; ++i)
    for (size_t c = 0; c < d; ++c) mean[c] += value(i, c) / static_cast<double>(table.rows);
  for (size_t i = 0; i < table.rows; ++i)
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b <= a; ++b)
        scatter[a * d + b] += (value(i, a) - mean[a]) * (value(i, b) - mean[b]);
  const SymmetricEigen eigen = symmetric_eigen(scatter.data(), d, d);
  for (size_t i = 0; i < table.rows; ++i)
    for (size_t c = 0; c < d; ++c) {
      points[i].x += (value(i, c) - mean[c]) * eigen.vectors[(d - 1) * d + c];
      points[i].y += (value(i, c) - mean[c]) * eigen.vectors[(d - 2) * d + c];
    }
  return points;
}

struct DppVerb {
  CommonOptions common;
  DppConfig config;
  std::string vectors_path, quality_path, against_path, plot_path;
  int64_t k = 0;
  bool exact = false;
  bool toy = false;
  ItemKernel similarity = ItemKernel::kLinear;
  double bandwidth = 0;
  uint64_t seed = 1;
  Options options;

  explicit DppVerb(Command verb) {
    options.add("k", k, "how many rows to choose").range(0);
    options.add("quality", quality_path, "one number >= 0 for each row, .npy or text");
    options.add("against", against_path,
                "vectors to keep away from: the quality becomes 1 - mean cosine with them");
    options.add("exact", exact, "draw at random from the k-DPP instead of the greedy choice");
    options.add("seed", seed, "seed of every random choice");
    options.add("plot", plot_path, "draw uniform and k-DPP choice side by side, as SVG");
    options.add("toy", toy, "choose among clusters in the plane made for the picture");
    options.add_choice("kernel", similarity,
                       {{"linear", ItemKernel::kLinear}, {"gaussian", ItemKernel::kGaussian}},
                       "similarity of two vectors: inner product, or closeness");
    options.add("bandwidth", bandwidth, "of the gaussian kernel; 0: half the median distance")
        .range(0);
    config.declare(options);
    common.declare(options);
    verb.positional("vectors", vectors_path, "one vector a row: .npy or text (csv)", false)
        .options(options)
        .example("divns dpp --k 20 vectors.npy --against hard.npy")
        .example("divns dpp --k 15 --toy --exact --kernel gaussian --plot figure1.svg")
        .action([this] { run(); });
  }

  void run() {
    if (toy == !vectors_path.empty())
      fail("give either a file of vectors or --toy; expected exactly one of them");
    const Input made = toy ? toy_input(seed) : Input{read_matrix(vectors_path), {}};
    const NpyArray<float>& table = made.table;
    if (table.rows > UINT32_MAX || table.columns == 0)
      fail("{}: {} x {} numbers; expected at least one column and fewer than 2^32 rows",
           vectors_path, table.rows, table.columns);
    if (exact) config.method = DppMethod::kExact;
    const std::vector<double> quality = read_quality(table);
    const DppSelection chosen = choose(table, quality);
    if (!plot_path.empty()) plot(made, chosen);
    report(chosen, table.rows);
  }

  std::vector<double> read_quality(const NpyArray<float>& table) const {
    std::vector<double> quality;
    if (!quality_path.empty()) {
      const NpyArray<float> given = read_matrix(quality_path);
      if (given.values.size() != table.rows)
        fail("{}: {} numbers; expected one for each of the {} vectors", quality_path,
             given.values.size(), table.rows);
      quality.assign(given.values.begin(), given.values.end());
    }
    if (against_path.empty()) return quality;
    const std::vector<double> penalty = dpp_penalty(view(table), view(read_matrix(against_path)));
    if (quality.empty()) return penalty;
    std::transform(quality.begin(), quality.end(), penalty.begin(), quality.begin(),
                   std::multiplies<>());
    return quality;
  }

  DppSelection choose(const NpyArray<float>& table, std::span<const double> quality) const {
    const auto size = static_cast<size_t>(k);
    const bool draws = config.method == DppMethod::kExact;
    if (similarity == ItemKernel::kGaussian) {
      const std::vector<double> kernel = gaussian_kernel(view(table), quality, bandwidth);
      return draws ? dpp_exact_dense(kernel, table.rows, size, seed, config)
                   : dpp_greedy_dense(kernel, table.rows, size, config);
    }
    return draws ? dpp_exact(view(table), quality, size, seed, config)
                 : dpp_greedy(view(table), quality, size, config);
  }

  void plot(const Input& made, const DppSelection& chosen) const {
    std::vector<Point> points = to_plane(made.table);
    for (size_t i = 0; i < made.groups.size(); ++i) points[i].group = made.groups[i];
    std::vector<uint32_t> uniform(std::min(chosen.items.size(), points.size()));
    Draws draws = Random(seed, "dpp.uniform").draws();
    sample_without_replacement(draws, static_cast<uint32_t>(points.size()), uniform);
    const char* const method = config.method == DppMethod::kExact ? "k-DPP draw" : "k-DPP, greedy";
    write_file_atomically(plot_path,
                          draw_dpp_panels(points, {{"Uniform", uniform}, {method, chosen.items}}));
    say(common, "{}: {} points, {} chosen", plot_path, points.size(), chosen.items.size());
  }

  void report(const DppSelection& chosen, size_t rows) const {
    if (common.json) {
      const Json json = {
          {"rows", chosen.items}, {"gains", chosen.gains}, {"log_det", chosen.log_det}};
      return print_result(json_text(json));
    }
    if (chosen.items.size() < static_cast<size_t>(k))
      say(common, "{} of {} rows: no more than that {}", chosen.items.size(), rows,
          chosen.items.size() == rows ? "are there" : "are linearly independent");
    TextTable text({"row", "gain"});
    for (size_t t = 0; t < chosen.items.size(); ++t)
      text.add({std::to_string(chosen.items[t]), fmt::format("{:.6g}", chosen.gains[t])});
    print_result(fmt::format("{}log det {:.10g}", text.text(), chosen.log_det));
  }
};

}  // namespace

void add_dpp_verb(Command root) {
  install<DppVerb>(root.add_verb("dpp", "choose k diverse rows of a matrix"));
}

}  // namespace divns::app
