// SPDX-License-Identifier: Apache-2.0
#include "divns/dpp.h"

#include <algorithm>
#include <cmath>

#include "divns/text_table.h"
#include "fail.h"
#include "json.h"
#include "verbs.h"

namespace divns::app {
namespace {

enum class ItemKernel { kLinear, kGaussian };

struct Input {
  FloatMatrix table;
  std::vector<int> groups;  // of the toy data only
};

Input toy_input(uint64_t seed) {
  const ToyClusters toy = make_toy_clusters(seed);
  return {{toy.groups.size(), 2, toy.values}, toy.groups};
}

struct DppVerb {
  CommonOptions common;
  DppConfig config;
  std::string vectors_path, quality_path, against_path, plot_path;
  int64_t k = 10;
  bool exact = false;
  bool toy = false;
  ItemKernel similarity = ItemKernel::kLinear;
  double bandwidth = 0;
  uint64_t seed = 1;
  Options options;

  explicit DppVerb(Command verb) {
    options.add("k", k, "number of rows to choose").range(1);
    options.add("quality", quality_path, "file with one number >= 0 per row, .npy or text");
    options.add(
        "against", against_path,
        "rows whose neighbourhood is avoided: the quality becomes 1 - mean cosine with them");
    options.add("exact", exact, "draw at random from the k-DPP instead of the greedy choice");
    options.add("seed", seed, "seed of all random choices");
    options.add("plot", plot_path,
                "SVG file to write: a uniform choice and the k-DPP's choice side by side");
    options.add("toy", toy, "use built-in clusters of points in the plane instead of a file");
    options.add_choice(
        "kernel", similarity,
        {{"linear", ItemKernel::kLinear}, {"gaussian", ItemKernel::kGaussian}},
        "similarity of two rows: inner product, or exp(-distance^2 / (2 bandwidth^2))");
    options
        .add("bandwidth", bandwidth,
             "bandwidth of the gaussian kernel; 0 for half the median distance")
        .range(0);
    config.declare(options);
    common.declare(options);
    verb.positional("vectors", vectors_path, "matrix with one vector per row, .npy or text (CSV)",
                    false)
        .options(options)
        .example("divns dpp --k 20 vectors.npy --against hard.npy")
        .example("divns dpp --k 15 --toy --exact --kernel gaussian --plot figure1.svg")
        .action([this] { run(); });
  }

  void run() {
    if (toy == !vectors_path.empty())
      fail("give either a file of vectors or --toy; expected exactly one of them.");
    const Input made = toy ? toy_input(seed) : Input{load_matrix(vectors_path), {}};
    const FloatMatrix& table = made.table;
    if (table.rows > UINT32_MAX || table.columns == 0)
      fail("{}: {} x {} numbers; expected at least one column and fewer than 2^32 rows.",
           vectors_path, table.rows, table.columns);
    if (exact) config.method = DppMethod::kExact;
    const std::vector<double> quality = read_quality(table);
    const DppSelection chosen = choose(table, quality);
    if (!plot_path.empty()) plot(made, chosen);
    report(chosen, table.rows);
  }

  std::vector<double> read_quality(const FloatMatrix& table) const {
    std::vector<double> quality;
    if (!quality_path.empty()) {
      const FloatMatrix given = load_matrix(quality_path);
      if (given.values.size() != table.rows)
        fail("{}: {} numbers; expected one for each of the {} vectors.", quality_path,
             given.values.size(), table.rows);
      quality.assign(given.values.begin(), given.values.end());
    }
    if (against_path.empty()) return quality;
    const FloatMatrix against = load_matrix(against_path);
    const std::vector<double> penalty = dpp_penalty(table.view(), against.view());
    if (quality.empty()) return penalty;
    std::transform(quality.begin(), quality.end(), penalty.begin(), quality.begin(),
                   std::multiplies<>());
    return quality;
  }

  DppSelection choose(const FloatMatrix& table, std::span<const double> quality) const {
    const auto size = static_cast<size_t>(k);
    const bool draws = config.method == DppMethod::kExact;
    if (similarity == ItemKernel::kGaussian) {
      const std::vector<double> kernel = gaussian_kernel(table.view(), quality, bandwidth);
      return draws ? dpp_exact_dense(kernel, table.rows, size, seed, config)
                   : dpp_greedy_dense(kernel, table.rows, size, config);
    }
    return draws ? dpp_exact(table.view(), quality, size, seed, config)
                 : dpp_greedy(table.view(), quality, size, config);
  }

  void plot(const Input& made, const DppSelection& chosen) const {
    const bool draws = config.method == DppMethod::kExact;
    write_dpp_picture(plot_path, made.table.view(), chosen.items,
                      {draws ? "k-DPP draw" : "k-DPP, greedy", made.groups, seed});
    say(common, "{}: {} points, {} chosen", plot_path, made.table.rows, chosen.items.size());
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
