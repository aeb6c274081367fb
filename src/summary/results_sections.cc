// SPDX-License-Identifier: Apache-2.0
// The comparison table, the tests, and quality against time.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "summary/sections.h"
#include "summary/verdict.h"

namespace divns {
namespace {

// Of an unfinished study, a row may have values of fewer seeds than it has runs.
Figure figure_of(const Moments& value, int digits) {
  Figure figure{.value = value.mean, .digits = digits};
  if (value.count > 1) figure.sd = value.sd;
  return figure;
}

int digits_of_metric(const Summary& summary, const std::string& metric) {
  std::vector<double> spreads;
  for (const SummaryRow& row : summary.rows)
    if (const auto value = summary.value(row, metric); value && value->count > 1)
      spreads.push_back(value->sd);
  return supported_digits(std::move(spreads));
}

Cell metric_cell(const Summary& summary, const SummaryRow& row, const std::string& metric,
                 int digits) {
  const auto value = summary.value(row, metric);
  if (!value) return {};
  Figure figure = figure_of(*value, digits);
  for (const SummaryTest& test : summary.tests)
    if (test.group == row.group && test.metric == metric && test.other == row.label) {
      figure.tip = test_text(test);
      figure.star = test.p_users < 0.05;
    }
  return figure;
}

std::optional<double> seconds_of_run(const SourceRun& run) {
  return run.seconds.total() > 0 ? std::optional(run.seconds.total()) : std::nullopt;
}

ReportTable metrics_table(const Summary& summary, const std::vector<std::string>& metrics) {
  std::vector<Column> columns = {{summary.verb == "ablate" ? "setting" : "row"}, {"model"}};
  for (const std::string& metric : metrics) columns.push_back({metric});
  columns.push_back({"epochs"});
  columns.push_back({"seconds"});
  ReportTable table("Results", columns);
  for (const auto& [first, last] : summary.groups()) {
    if (first > 0) table.add_rule();
    for (size_t r = first; r < last; ++r) {
      const SummaryRow& row = summary.rows[r];
      std::vector<Cell> cells = {shown_cell(row.series), shown_cell(row.model)};
      for (const std::string& metric : metrics)
        cells.push_back(metric_cell(summary, row, metric, digits_of_metric(summary, metric)));
      const auto epochs =
          row.over_runs([](const SourceRun& run) { return std::optional<double>(run.epochs); });
      cells.emplace_back(Figure{.value = epochs->mean, .digits = row.runs.size() > 1 ? 1 : 0});
      const auto seconds = row.over_runs(seconds_of_run);
      cells.push_back(seconds ? Cell(Figure{.value = seconds->mean, .digits = 1}) : Cell());
      table.add(std::move(cells));
    }
    for (size_t m = 0; m < metrics.size(); ++m) table.mark_best(m + 2, first, last);
  }
  return table;
}

std::vector<std::string> all_metrics(const Summary& summary) {
  std::vector<std::string> names;
  for (const SummaryRow& row : summary.rows)
    for (const SourceRun& run : row.runs)
      for (const auto& [name, value] : run.test)
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

ReportTable pairs_table(const Summary& summary) {
  ReportTable table("Paired tests", {{"group"},
                                     {"metric"},
                                     {"reference"},
                                     {"other"},
                                     {"difference"},
                                     {"low"},
                                     {"high"},
                                     {"p over users"},
                                     {"p over seeds"}});
  const auto probability = [](double p) {
    Figure figure{.value = p, .digits = 3};
    if (p < 1e-3) figure.words = p < 1e-16 ? "< 1e-16" : fmt::format("{:.0e}", p);
    return figure;
  };
  for (const SummaryTest& test : summary.tests) {
    const int digits = supported_digits({(test.interval.high - test.interval.low) / 4});
    const auto number = [&](double value) { return Figure{.value = value, .digits = digits}; };
    table.add({shown_cell(test.group), test.metric, shown_cell(test.reference),
               shown_cell(test.other), number(test.difference), number(test.interval.low),
               number(test.interval.high), probability(test.p_users),
               test.p_seeds ? Cell(probability(*test.p_seeds)) : Cell()});
  }
  table.add_note(
      "Differences are reference minus other; low and high are the 95 % bootstrap interval over "
      "users. p over users: Wilcoxon's signed-rank test; over seeds: paired t test. Both are "
      "Holm-corrected over the others of a group.");
  return table;
}

// Differences with their intervals, as a forest plot.
void add_intervals(const Summary& summary, ReportSection& section) {
  ReportTable data("", {{"comparison"}, {"difference"}, {"low"}, {"high"}, {"p over users"}});
  for (const SummaryTest& test : summary.tests)
    if (test.metric == summary.main_metric())
      data.add({shown_text(fmt::format("{}: {} − {}", test.group, test.reference, test.other)),
                Figure{.value = test.difference}, Figure{.value = test.interval.low},
                Figure{.value = test.interval.high}, Figure{.value = test.p_users}});
  if (data.rows().empty()) return;
  const auto number = [](const char* field) {
    return Json{{"field", field}, {"type", "quantitative"}};
  };
  Json low = number("low");
  low["title"] = "difference in " + summary.main_metric();
  const Json y = {
      {"field", "comparison"}, {"type", "nominal"}, {"title", nullptr}, {"sort", nullptr}};
  const Json zero = {{"data", {{"values", Json::array({Json::object()})}}},
                     {"mark", {{"type", "rule"}, {"strokeDash", {4, 4}}}},
                     {"encoding", {{"x", {{"datum", 0}}}}}};
  const Json spec = {
      {"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
      {"title", "Differences in " + summary.main_metric()},
      {"width", "container"},
      {"height", 26 * data.rows().size() + 10},
      {"layer",
       {zero,
        {{"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
         {"encoding", {{"y", y}, {"x", low}, {"x2", {{"field", "high"}}}}}},
        {{"mark",
          {{"type", "point"}, {"filled", true}, {"size", 80}, {"tooltip", {{"content", "data"}}}}},
         {"encoding", {{"y", y}, {"x", number("difference")}}}}}}};
  section.add_spec(
      "Differences in " + summary.main_metric(), spec, std::move(data),
      "Mean difference over users with its 95 % bootstrap interval. An interval on one "
      "side of 0 speaks for a difference.");
}

}  // namespace

std::vector<std::string> series_of(const Summary& summary) {
  std::vector<std::string> names;
  for (const SummaryRow& row : summary.rows) names.push_back(row.series);
  return names;
}

Channel series_channel() {
  return {.column = "row", .title = " ", .type = Channel::Type::kName};
}

ReportSection results_section(const Summary& summary) {
  ReportSection section{.id = "results", .title = "Results"};
  if (summary.rows.empty()) return section;
  section.text = fmt::format(
      "{} part, mean{} over the seeds. Best and second best of each group are marked{}.",
      summary.on_test ? "Test" : "Validation", " ± standard deviation",
      summary.tests.empty()
          ? ""
          : "; * differs significantly from the reference (p < 0.05 over users, Holm-corrected): "
            "point at a number for its test");
  section.add_table(summary.verb == "ablate" ? "Settings" : "Comparison",
                    metrics_table(summary, summary.metrics));
  add_intervals(summary, section);
  if (!summary.tests.empty()) section.add_table("Paired tests", pairs_table(summary));
  const std::vector<std::string> all = all_metrics(summary);
  if (summary.on_test && all.size() > summary.metrics.size())
    section.add_table("Every metric", metrics_table(summary, all));
  return section;
}

ReportSection time_against_quality_section(const Summary& summary) {
  ReportSection section{.id = "time-quality", .title = "Quality against time"};
  ReportTable data("", {{"row"}, {"seconds"}, {summary.rows.empty() ? "" : summary.main_metric()}});
  for (const SummaryRow& row : summary.rows) {
    const auto seconds = row.over_runs(seconds_of_run);
    const auto value = summary.value(row, summary.main_metric());
    if (!seconds || !value) continue;
    data.add({row.series, Figure{.value = seconds->mean}, figure_of(*value, 4)});
  }
  if (data.rows().size() < 2) return section;
  section.add_chart(
      {.kind = ChartKind::kScatter,
       .title = summary.main_metric() + " against training time",
       .x = {.column = "seconds",
             .title = "seconds of training, mean over the seeds",
             .logarithmic = true},
       .y = {.column = summary.main_metric()},
       .colour = series_channel(),
       .colour_order = series_of(summary),
       .height = 320},
      std::move(data),
      "Up and to the left is better. Error bars: one standard deviation over the seeds. "
      "Times are those of this machine, other work on it included.");
  return section;
}

}  // namespace divns
