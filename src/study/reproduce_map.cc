// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/json.h"
#include "divns/model.h"
#include "divns/random.h"
#include "divns/table.h"
#include "numerics/unit_rows.h"
#include "study/reproduce_parts.h"
#include "tsne/tsne.h"

namespace divns {
namespace {

// More points would be unreadable.
constexpr uint32_t kLargestMap = 10'000;

// All items with a training pair, or a random kLargestMap of them; ascending.
std::vector<uint32_t> mapped_items(const std::vector<uint32_t>& pairs) {
  std::vector<uint32_t> items;
  for (uint32_t i = 0; i < pairs.size(); ++i)
    if (pairs[i] > 0) items.push_back(i);
  if (items.size() <= kLargestMap) return items;
  Draws draws = Random(1, "figure.map").draws();
  shuffle(draws, std::span(items));
  items.resize(kLargestMap);
  std::sort(items.begin(), items.end());
  return items;
}

Table unit_vectors(const VectorTable& vectors, const std::vector<uint32_t>& items) {
  Table unit(static_cast<uint32_t>(items.size()), vectors.dim);
  for (size_t i = 0; i < items.size(); ++i) {
    std::copy_n(vectors.row(items[i]), vectors.dim, unit.row(i));
    unit_row(unit.row(i), unit.row(i), unit.stride());
  }
  return unit;
}

// By rank among the mapped items, so that every quarter has the same number of them.
std::vector<const char*> popularity_quarters(const std::vector<uint32_t>& items,
                                             const std::vector<uint32_t>& pairs) {
  static constexpr std::array kNames = {"least popular quarter", "second quarter", "third quarter",
                                        "most popular quarter"};
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return pairs[items[a]] < pairs[items[b]]; });
  std::vector<const char*> names(items.size());
  for (size_t rank = 0; rank < order.size(); ++rank)
    names[order[rank]] = kNames[rank * kNames.size() / order.size()];
  return names;
}

// The paper does not say which model its map shows. Ours is LightGCN with DivNS.
PaperTable one_run(PaperTable paper) {
  paper.rows = {{"lightgcn", "divns", ""}};
  return paper;
}

}  // namespace

void reproduce_map(const ReproduceRequest& request, const std::vector<OpenDataset>& datasets,
                   Reproduction& result, Json& record) {
  ReproduceRequest single = request;
  single.seeds = 1;
  const PaperTable paper = one_run(result.paper);
  const Executor executor(request.runner.threads);
  result.data = ReportTable(result.paper.title,
                            {{"x"}, {"y"}, {"dataset"}, {"popularity"}, {"item"}, {"pairs"}});
  ReportTable table("Maps of item vectors",
                    {{"dataset"}, {"items"}, {"perplexity"}, {"KL divergence"}});
  for (const OpenDataset& dataset : datasets) {
    const RunStore store(request.runs, dataset.data);
    const PlannedRun run = plan_reproduction(single, paper, dataset)[0].run;
    const std::vector<NamedRun> named = {{run, dataset.name + " lightgcn divns seed 1"}};
    if (!execute_runs(store, named, {}, request.runner, request.hooks).complete) {
      result.complete = false;
      return;
    }
    record["runs"].push_back({{"name", named[0].name}, {"id", run.id}, {"config", run.config}});
    const TrainedModel model = TrainedModel::load(store.folder_of(run));
    const std::vector<uint32_t> pairs = item_counts(dataset.data.train());
    const std::vector<uint32_t> items = mapped_items(pairs);
    const Table vectors = unit_vectors(model.item_vectors(), items);
    TsneOptions options;
    if (request.quick) options.iterations = 300;
    options.perplexity = std::min(options.perplexity, static_cast<double>(items.size()) / 4);
    const TsneResult map = tsne(vectors.view(), options, executor);
    const auto quarters = popularity_quarters(items, pairs);
    for (size_t i = 0; i < items.size(); ++i) {
      const std::string_view title = model.item_name(items[i]);
      result.data.add({Figure{.value = map.positions[i].x}, Figure{.value = map.positions[i].y},
                       dataset.name, quarters[i],
                       std::string(title.empty() ? model.item_id(items[i]) : title),
                       Figure{.value = static_cast<double>(pairs[items[i]]), .digits = 0}});
    }
    result.figures.push_back({.dataset = dataset.name,
                              .model = "lightgcn",
                              .sampler = "divns",
                              .metric = "kl_divergence",
                              .value = map.kl_divergence});
    table.add({dataset.name, Figure{.value = static_cast<double>(items.size()), .digits = 0},
               Figure{.value = options.perplexity, .digits = 0},
               Figure{.value = map.kl_divergence}});
    if (items.size() < dataset.data.items())
      result.notes.push_back(fmt::format("{}: {} of {} items are on the map.", dataset.name,
                                         items.size(), dataset.data.items()));
  }
  result.tables.push_back(std::move(table));
  result.notes.emplace_back(
      "Unit item vectors of LightGCN trained with DivNS, seed 1; t-SNE with seed 1.");
  result.chart = {.kind = ChartKind::kScatter,
                  .title = result.paper.title,
                  .subtitle = result.paper.source,
                  .x = {.column = "x"},
                  .y = {.column = "y"},
                  .colour = {.column = "popularity", .type = Channel::Type::kName},
                  .facet = {.column = "dataset", .title = " ", .type = Channel::Type::kName},
                  .shared_axes = false,
                  .hide_axes = true,
                  .width = 480,
                  .height = 480};
}

}  // namespace divns
