// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "study/reproduce_parts.h"

namespace divns {
namespace {

int digits_of(const std::string& metric) {
  if (metric == "users" || metric == "items" || metric == "pairs") return 0;
  if (metric == "epoch_seconds" || metric == "density_percent") return 2;
  return metric.ends_with("diversity") ? 3 : 4;
}

Cell number(const std::optional<double>& value, int digits, std::string unit = {}) {
  return value ? Cell(Figure{.value = *value, .digits = digits, .unit = std::move(unit)}) : Cell();
}

// "divns.lambda=0.5" as "lambda=0.5", because the sampler is in the previous column.
std::string short_setting(const ReproducedFigure& figure) {
  const std::string prefix = figure.sampler + ".";
  return figure.setting.starts_with(prefix) ? figure.setting.substr(prefix.size()) : figure.setting;
}

bool same_row(const ReproducedFigure& a, const ReproducedFigure& b) {
  return a.dataset == b.dataset && a.model == b.model && a.sampler == b.sampler &&
         a.setting == b.setting;
}

// Ours, the paper's and the ratio for every metric; one row per row of the paper.
class SideBySide {
 public:
  // The dataset is that of the printed improvements.
  SideBySide(const Reproduction& result, std::string title, std::string dataset)
      : paper_(result.paper),
        dataset_(std::move(dataset)),
        has_settings_(std::any_of(result.figures.begin(), result.figures.end(),
                                  [](const auto& f) { return !f.setting.empty(); })),
        table_(std::move(title), columns()) {}

  // The figures of one row, in the order of the metrics.
  void add(std::span<const ReproducedFigure> figures) {
    const ReproducedFigure& first = figures[0];
    if (first.model != model_ && !table_.rows().empty()) end_group();
    model_ = first.model;
    std::vector<Cell> row = keys(first);
    for (const ReproducedFigure& figure : figures) {
      const int digits = digits_of(figure.metric);
      row.emplace_back(Figure{.value = figure.value, .sd = figure.sd, .digits = digits});
      row.push_back(number(figure.paper, digits));
      row.push_back(number(figure.ratio(), 2));
    }
    table_.add(std::move(row));
  }

  ReportTable take() {
    end_group();
    return std::move(table_);
  }

 private:
  std::vector<Column> columns() const {
    std::vector<Column> columns;
    for (const char* key : key_names()) columns.push_back({key});
    for (const std::string& metric : paper_.metrics)
      for (const char* what : {"ours", "paper", "ratio"}) columns.push_back({what, metric});
    return columns;
  }
  std::vector<const char*> key_names() const {
    if (is_of_datasets()) return {"dataset"};
    if (has_settings_) return {"model", "sampler", "setting"};
    return {"model", "sampler"};
  }
  std::vector<Cell> keys(const ReproducedFigure& figure) const {
    if (is_of_datasets()) return {figure.dataset};
    if (has_settings_) return {figure.model, figure.sampler, short_setting(figure)};
    return {figure.model, figure.sampler};
  }
  bool is_of_datasets() const { return paper_.name == "table-datasets"; }

  // Marks the best of a model's rows, separately for ours and the paper's.
  void end_group() {
    const size_t last = table_.rows().size();
    if (!is_of_datasets())
      for (size_t m = 0; m < paper_.metrics.size(); ++m) {
        const auto better = paper_.metrics[m] == "epoch_seconds" ? ReportTable::Better::kLower
                                                                 : ReportTable::Better::kHigher;
        for (const size_t which : {0U, 1U})
          table_.mark_best(key_names().size() + 3 * m + which, group_, last, better);
      }
    if (paper_.name == "table-utility") add_improvement(group_, last);
    if (!is_of_datasets()) table_.add_rule();
    group_ = table_.rows().size();
  }

  // The lead of DivNS over the best other sampler, ours beside the printed one.
  void add_improvement(size_t first, size_t last) {
    std::vector<Cell> row = {model_, "divns over best other"};
    for (size_t m = 0; m < paper_.metrics.size(); ++m) {
      const size_t column = key_names().size() + 3 * m;
      std::optional<double> own, best;
      for (size_t r = first; r < last; ++r) {
        const double value = table_.rows()[r][column].figure()->value;
        if (*table_.rows()[r][1].text() == "divns")
          own = value;
        else
          best = std::max(best.value_or(value), value);
      }
      std::optional<double> percent;
      if (own && best && *best > 0) percent = 100 * (*own / *best - 1);
      row.push_back(number(percent, 2, "%"));
      row.push_back(number(printed_improvement(paper_.metrics[m]), 2, "%"));
      row.emplace_back();
    }
    table_.add(std::move(row));
  }
  std::optional<double> printed_improvement(const std::string& metric) const {
    for (const PaperImprovement& each : paper_.improvements)
      if (each.model == model_ && each.metric == metric && each.dataset == dataset_)
        return each.percent;
    return std::nullopt;
  }

  const PaperTable& paper_;
  std::string dataset_;
  bool has_settings_;
  ReportTable table_;
  std::string model_;
  size_t group_ = 0;  // first row of the current model
};

}  // namespace

void make_tables(Reproduction& result) {
  const std::vector<ReproducedFigure>& figures = result.figures;
  const bool together = result.paper.name == "table-datasets";
  std::optional<SideBySide> table;
  std::string dataset;
  for (size_t first = 0; first < figures.size();) {
    size_t last = first;
    while (last < figures.size() && same_row(figures[first], figures[last])) ++last;
    if (!table || (!together && figures[first].dataset != dataset)) {
      if (table) result.tables.push_back(table->take());
      dataset = figures[first].dataset;
      const std::string title = together ? result.paper.title : dataset + ": " + result.paper.title;
      table.emplace(result, title, dataset);
    }
    table->add(std::span(figures).subspan(first, last - first));
    first = last;
  }
  if (table) result.tables.push_back(table->take());
}

void make_chart(Reproduction& result) {
  const auto& figures = result.figures;
  const auto any = [&](auto test) { return std::any_of(figures.begin(), figures.end(), test); };
  const bool of_settings = any([](const auto& f) { return !f.setting.empty(); });
  const bool of_samplers = any([](const auto& f) { return !f.sampler.empty(); });
  const bool several_models = any([&](const auto& f) { return f.model != figures[0].model; });
  result.data = ReportTable(result.paper.title, {{"dataset"},
                                                 {"model"},
                                                 {"sampler"},
                                                 {"setting"},
                                                 {"metric"},
                                                 {"source"},
                                                 {"panel"},
                                                 {"series"},
                                                 {"value"}});
  for (const ReproducedFigure& f : figures) {
    const std::string panel = several_models ? f.dataset + ", " + f.model : f.dataset;
    const auto add = [&](const char* source, const std::string& series, Figure value) {
      result.data.add({f.dataset, f.model, f.sampler, short_setting(f), f.metric, source, panel,
                       series, std::move(value)});
    };
    add("ours", f.metric, {.value = f.value, .sd = f.sd});
    if (f.paper) add("paper", f.metric + ", paper", {.value = *f.paper});
  }
  const bool is_curve = result.paper.name == "figure-lambda";
  const char* x = of_settings ? "setting" : of_samplers ? "sampler" : "dataset";
  result.chart = {.kind = is_curve ? ChartKind::kLine : ChartKind::kBar,
                  .title = result.paper.title,
                  .subtitle = result.paper.source + ", ours beside the paper's",
                  .x = {.column = x, .type = Channel::Type::kOrder},
                  .y = {.column = "value", .from_zero = !is_curve},
                  .colour = {.column = "series", .type = Channel::Type::kName},
                  .shared_axes = false};
  if (of_samplers)
    result.chart.facet = {.column = "panel", .title = " ", .type = Channel::Type::kName};
  // As many metrics as fit into one picture and share a scale.
  if (result.paper.metrics.size() > 2) {
    result.chart.filter_column = "metric";
    result.chart.filter_values = of_samplers ? std::vector<std::string>{"ndcg@20", "recall@20"}
                                             : std::vector<std::string>{"pairs"};
  }
}

}  // namespace divns
