// SPDX-License-Identifier: Apache-2.0
// Results by activity of the users and popularity of the items, and ablations.
#include <fmt/format.h>

#include <algorithm>

#include "summary/sections.h"

namespace divns {
namespace {

using GroupsOfRun = std::vector<SourceGroup> SourceRun::*;

std::optional<double> value_in(const SourceGroup& group, const std::string& name) {
  const auto at = std::find_if(group.values.begin(), group.values.end(),
                               [&](const auto& entry) { return entry.first == name; });
  return at == group.values.end() ? std::nullopt : std::optional(at->second);
}

ReportTable quarter_table(const Summary& summary, GroupsOfRun groups, const std::string& value,
                          const std::string& shown) {
  ReportTable data("", {{"row"}, {"training pairs"}, {shown}});
  for (const SummaryRow& row : summary.rows) {
    const std::vector<SourceGroup>& quarters = row.runs.front().*groups;
    for (size_t q = 0; q < quarters.size(); ++q) {
      const auto mean = row.over_runs([&](const SourceRun& run) -> std::optional<double> {
        if (q >= (run.*groups).size()) return std::nullopt;
        return value_in((run.*groups)[q], value);
      });
      if (!mean) continue;
      Figure figure{.value = mean->mean};
      if (mean->count > 1) figure.sd = mean->sd;
      data.add({row.series, quarters[q].range, figure});
    }
  }
  return data;
}

// The cutoff of the main metric: "20" of "ndcg@20".
std::string cutoff_of(const std::string& metric) {
  const size_t at = metric.find('@');
  return at == std::string::npos ? "20" : metric.substr(at + 1);
}

// "divns.lambda=0.5" as 0.5; nothing if the label does not end with a number.
std::optional<double> trailing_number(const std::string& label) {
  const size_t at = label.rfind('=');
  if (at == std::string::npos) return std::nullopt;
  const std::string text = label.substr(at + 1);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nullopt : std::optional(value);
}

}  // namespace

ReportSection groups_section(const Summary& summary) {
  ReportSection section{.id = "groups", .title = "Users and items"};
  if (summary.rows.empty() || !summary.on_test) return section;
  const auto add = [&](GroupsOfRun groups, const std::string& value, const char* title,
                       const std::string& shown, const std::string& axis, const char* text) {
    ReportTable data = quarter_table(summary, groups, value, shown);
    if (data.rows().empty()) return;
    section.add_chart(
        {.kind = ChartKind::kLine,
         .title = title,
         .x = {.column = "training pairs", .title = axis, .type = Channel::Type::kOrder},
         .y = {.column = shown, .from_zero = true},
         .colour = series_channel(),
         .colour_order = series_of(summary)},
        std::move(data), text);
  };
  const std::string found = "recall@" + cutoff_of(summary.main_metric());
  add(&SourceRun::by_activity, summary.main_metric(), "By activity of the user",
      summary.main_metric(), "training pairs of the user",
      "Users in four groups of about equal size.");
  add(&SourceRun::by_popularity, found, "By popularity of the item",
      "found@" + cutoff_of(summary.main_metric()), "training pairs of the item",
      "Share of the relevant items that the lists contain. Items in four groups that share the "
      "training pairs about equally.");
  return section;
}

ReportSection ablation_section(const Summary& summary) {
  ReportSection section{.id = "ablation", .title = "Ablation"};
  if (summary.verb != "ablate") return section;
  section.text =
      "One option at a time is changed. Error bars: one standard deviation over the seeds.";
  for (const auto& [first, last] : summary.groups()) {
    ReportTable data("", {{"setting"}, {summary.main_metric()}});
    bool numeric = true;
    for (size_t r = first; r < last; ++r) {
      const SummaryRow& row = summary.rows[r];
      const auto value = summary.value(row, summary.main_metric());
      if (!value) continue;
      const auto number = trailing_number(row.label);
      numeric = numeric && number.has_value();
      Figure figure{.value = value->mean};
      if (value->count > 1) figure.sd = value->sd;
      data.add({number ? Cell(fmt::format("{}", *number)) : shown_cell(row.label), figure});
    }
    if (data.rows().empty()) continue;
    section.add_chart({.kind = numeric ? ChartKind::kLine : ChartKind::kScatter,
                       .title = shown_text(summary.rows[first].group),
                       .x = {.column = "setting", .title = " ", .type = Channel::Type::kOrder},
                       .y = {.column = summary.main_metric()}},
                      std::move(data));
  }
  return section;
}

}  // namespace divns
