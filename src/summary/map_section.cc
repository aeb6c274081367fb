// SPDX-License-Identifier: Apache-2.0
// The map of the items, alive: what DivNS did for a user, epoch by epoch (the paper's Figures 2
// and 5).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "base/files.h"
#include "base/json.h"
#include "divns/model.h"
#include "divns/random.h"
#include "divns/table.h"
#include "io/model_file.h"
#include "numerics/unit_rows.h"
#include "summary/sections.h"
#include "tsne/tsne.h"

namespace divns {
namespace {

constexpr uint32_t kMostItemsOnMap = 1500;
constexpr int kMapIterations = 500;
constexpr uint32_t kNotOnMap = UINT32_MAX;

// The first run that recorded users and has a model.
const SourceRun* recorded_run(const Summary& summary) {
  for (const SummaryRow& row : summary.rows)
    for (const SourceRun& run : row.runs)
      if (!run.folder.empty() && has_own_file(run.folder / kModelFileName) &&
          std::any_of(run.events.begin(), run.events.end(),
                      [](const RunEvent& event) { return !event.users.empty(); }))
        return &run;
  return nullptr;
}

// Every item that some snapshot names, and random others.
std::vector<uint32_t> items_on_map(const SourceRun& run, uint32_t items) {
  std::vector<bool> is_named(items, false);
  for (const RunEvent& event : run.events)
    for (const UserSnapshot& user : event.users)
      for (const auto& [role, list] : user.items)
        for (const uint32_t item : list)
          if (item < items) is_named[item] = true;
  std::vector<uint32_t> order(items);
  std::iota(order.begin(), order.end(), 0U);
  Draws draws = Random(1, "report.map").draws();
  shuffle(draws, std::span(order));
  std::stable_partition(order.begin(), order.end(), [&](uint32_t i) { return is_named[i]; });
  order.resize(std::min(items, kMostItemsOnMap));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<PlanePoint> positions_of(const TrainedModel& model, const std::vector<uint32_t>& items,
                                     const ReportOptions& options) {
  const VectorTable vectors = model.item_vectors();
  Table unit(static_cast<uint32_t>(items.size()), vectors.dim);
  for (size_t i = 0; i < items.size(); ++i) {
    std::copy_n(vectors.row(items[i]), vectors.dim, unit.row(i));
    unit_row(unit.row(i), unit.row(i), unit.stride());
  }
  TsneOptions tsne_options{.iterations = kMapIterations};
  tsne_options.perplexity =
      std::min(tsne_options.perplexity, static_cast<double>(items.size()) / 4);
  return tsne(unit.view(), tsne_options, Executor(options.threads)).positions;
}

// The rows of the chart.
class MapTable {
 public:
  MapTable(const TrainedModel& model, const std::vector<uint32_t>& items,
           std::vector<PlanePoint> positions, double lambda)
      : model_(model),
        positions_(std::move(positions)),
        place_(model.items(), kNotOnMap),
        lambda_(lambda),
        table_("", {{"role"}, {"x"}, {"y"}, {"x2"}, {"y2"}, {"item"}, {"user"}, {"step"}}) {
    for (size_t i = 0; i < items.size(); ++i) place_[items[i]] = static_cast<uint32_t>(i);
    for (const uint32_t item : items) add("item", item, {}, {});
  }

  void add_snapshot(const UserSnapshot& snapshot, double user, double step) {
    for (const auto& [role, items] : snapshot.items) {
      std::vector<uint32_t> shown = items;
      std::sort(shown.begin(), shown.end());
      shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
      for (const uint32_t item : shown) add(role, item, user, step);
    }
    const std::vector<uint32_t>* hard = list_of(snapshot, "hard");
    const std::vector<uint32_t>* diverse = list_of(snapshot, "diverse");
    if (hard == nullptr || diverse == nullptr) return;
    for (size_t i = 0; i < std::min(hard->size(), diverse->size()); ++i)
      add_mixture((*hard)[i], (*diverse)[i], user, step);
  }

  ReportTable take() { return std::move(table_); }

 private:
  static const std::vector<uint32_t>* list_of(const UserSnapshot& snapshot, const char* role) {
    for (const auto& [name, items] : snapshot.items)
      if (name == role) return &items;
    return nullptr;
  }

  bool is_on_map(uint32_t item) const { return item < place_.size() && place_[item] != kNotOnMap; }
  PlanePoint at(uint32_t item) const { return positions_[place_[item]]; }
  static Cell number(double value) { return Figure{.value = value}; }
  // Three decimals are finer than a pixel.
  static Cell coordinate(double value) { return number(std::round(value * 1000) / 1000); }
  static Cell optional_number(std::optional<double> value) {
    return value ? number(*value) : Cell();
  }
  std::string name_of(uint32_t item) const {
    const std::string_view title = model_.item_name(item);
    return shown_text(title.empty() ? model_.item_id(item) : title, 60);
  }

  void add(const std::string& role, uint32_t item, std::optional<double> user,
           std::optional<double> step) {
    if (!is_on_map(item)) return;
    const PlanePoint point = at(item);
    table_.add({role, coordinate(point.x), coordinate(point.y), Cell(), Cell(), name_of(item),
                optional_number(user), optional_number(step)});
  }

  // From the hard negative to the diverse one, with the mixture at lambda * hard + (1 - lambda) *
  // diverse.
  void add_mixture(uint32_t hard, uint32_t diverse, double user, double step) {
    if (!is_on_map(hard) || !is_on_map(diverse)) return;
    const PlanePoint a = at(hard);
    const PlanePoint b = at(diverse);
    const auto between = [&](double from, double to) {
      return coordinate(lambda_ * from + (1 - lambda_) * to);
    };
    table_.add({"mixture line", coordinate(a.x), coordinate(a.y), coordinate(b.x), coordinate(b.y),
                Cell(), number(user), number(step)});
    table_.add({"mixture", between(a.x, b.x), between(a.y, b.y), Cell(), Cell(),
                name_of(hard) + " + " + name_of(diverse), number(user), number(step)});
  }

  const TrainedModel& model_;
  std::vector<PlanePoint> positions_;
  std::vector<uint32_t> place_;
  double lambda_;
  ReportTable table_;
};

Json map_spec(size_t last_step) {
  const auto plane = [](const char* field) {
    return Json{{"field", field},
                {"type", "quantitative"},
                {"axis", nullptr},
                {"scale", {{"zero", false}}}};
  };
  const auto filter = [](const std::string& test) { return Json::array({Json{{"filter", test}}}); };
  const std::string chosen = "datum.user === user && datum.step === step";
  const Json title = {{"field", "item"}, {"type", "nominal"}};
  const Json role = {{"field", "role"}, {"type", "nominal"}};
  const Json roles = {"positives", "candidates", "cache", "hard", "diverse", "mixture"};
  Json colour = role;
  colour["title"] = " ";
  colour["scale"] = {{"domain", roles}};
  Json shape = colour;
  shape["scale"] = {
      {"domain", roles},
      {"range", {"circle", "cross", "square", "triangle-up", "diamond", "triangle-down"}}};
  const Json position = {{"x", plane("x")}, {"y", plane("y")}};
  Json everything = position;
  everything["tooltip"] = title;
  Json lines = position;
  lines["x2"] = {{"field", "x2"}};
  lines["y2"] = {{"field", "y2"}};
  Json points = position;
  points["color"] = colour;
  points["shape"] = shape;
  points["tooltip"] = {role, title};
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
          {"title", "Map of the items"},
          {"width", "container"},
          {"height", 520},
          {"params", {{{"name", "user"}, {"value", 0}}, {{"name", "step"}, {"value", last_step}}}},
          {"layer",
           {{{"transform", filter("datum.role === 'item'")},
             {"mark", {{"type", "circle"}, {"size", 14}, {"opacity", 0.35}, {"color", "#888888"}}},
             {"encoding", everything}},
            {{"transform", filter("datum.role === 'mixture line' && " + chosen)},
             {"mark", {{"type", "rule"}, {"opacity", 0.35}}},
             {"encoding", lines}},
            {{"transform",
              filter("datum.role !== 'item' && datum.role !== 'mixture line' && " + chosen)},
             {"mark", {{"type", "point"}, {"filled", true}, {"size", 75}, {"opacity", 0.9}}},
             {"encoding", points}}}}};
}

}  // namespace

ReportSection map_section(const Summary& summary, const ReportOptions& options) {
  ReportSection section{.id = "map", .title = "Map"};
  const SourceRun* run = recorded_run(summary);
  if (run == nullptr) return section;
  const TrainedModel model = TrainedModel::load(run->folder);
  const std::vector<uint32_t> items = items_on_map(*run, model.items());
  if (items.size() < 12) return section;
  const std::string lambda = run->option("divns.lambda");
  MapTable table(model, items, positions_of(model, items, options),
                 lambda.empty() ? 0.5 : std::strtod(lambda.c_str(), nullptr));
  ChartControl users{
      .param = "user", .label = "User", .is_slider = false, .values = {}, .labels = {}};
  ChartControl steps{
      .param = "step", .label = "Epoch", .is_slider = true, .values = {}, .labels = {}};
  for (size_t e = 0; e < run->events.size(); ++e) {
    const std::vector<UserSnapshot>& snapshots = run->events[e].users;
    if (snapshots.empty()) continue;
    const auto step = static_cast<double>(steps.values.size());
    steps.values.push_back(step);
    steps.labels.push_back(fmt::format("{}", e + 1));
    for (size_t u = 0; u < snapshots.size(); ++u) {
      if (snapshots[u].user >= model.users()) continue;
      if (users.values.size() == u) {
        users.values.push_back(static_cast<double>(u));
        users.labels.push_back(shown_text(model.user_id(snapshots[u].user), 40));
      }
      table.add_snapshot(snapshots[u], static_cast<double>(u), step);
    }
  }
  const Json spec = map_spec(steps.values.size() - 1);
  section.add_spec(
      "What the sampler did", spec, table.take(),
      fmt::format(
          "Item vectors of {} with {}, seed {}, after training, by t-SNE. Choose a user and an "
          "epoch. For up to twelve positives: candidates that were drawn, the cache for the "
          "next epoch, hard and diverse negatives, and their mixtures.",
          shown_text(run->model), shown_text(run->sampler), run->seed),
      {std::move(users), std::move(steps)});
  return section;
}

}  // namespace divns
