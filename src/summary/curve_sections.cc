// SPDX-License-Identifier: Apache-2.0
// What happened during training, epoch by epoch, and where the time went.
#include <fmt/format.h>

#include <algorithm>

#include "summary/sections.h"

namespace divns {
namespace {

// More points than a picture has pixels would only make the file large.
constexpr size_t kMostEpochs = 200;

std::optional<double> negative_value(const RunEvent& event, const std::string& name) {
  const auto at = std::find_if(event.negatives.begin(), event.negatives.end(),
                               [&](const auto& entry) { return entry.first == name; });
  return at == event.negatives.end() ? std::nullopt : std::optional(at->second);
}

size_t longest_log(const Summary& summary) {
  size_t epochs = 0;
  for (const SummaryRow& row : summary.rows)
    for (const SourceRun& run : row.runs) epochs = std::max(epochs, run.events.size());
  return epochs;
}

// Validations come at intervals, so all of them are kept; other quantities are thinned.
ReportTable curve_table(const Summary& summary, const std::string& name, size_t step) {
  ReportTable data("", {{"row"}, {"epoch"}, {name}});
  for (const SummaryRow& row : summary.rows) {
    size_t epochs = 0;
    for (const SourceRun& run : row.runs) epochs = std::max(epochs, run.events.size());
    for (size_t e = 0; e < epochs; e += step) {
      const auto value = row.over_runs([&](const SourceRun& run) -> std::optional<double> {
        if (e >= run.events.size()) return std::nullopt;
        return curve_value(run.events[e], name);
      });
      if (!value) continue;
      Figure figure{.value = value->mean};
      if (value->count > 1) figure.sd = value->sd;
      data.add({row.series, Figure{.value = static_cast<double>(e + 1)}, figure});
    }
  }
  return data;
}

}  // namespace

std::vector<CurveQuantity> curve_quantities(const Summary& summary) {
  if (summary.rows.empty()) return {};
  const std::string valid = summary.rows.front().runs.front().valid_name;
  return {{"loss", "Loss", "Mean loss per batch."},
          {valid, "Validation " + valid, "On the validation part."},
          {"diversity", "Diversity of the negatives",
           "Of the negative vectors, mean over a sample of users; higher is more diverse."},
          {"hardness", "Hardness of the negatives",
           "Mean score of the negative minus that of the positive; higher is harder."},
          {"false_negatives", "False negatives",
           "Share of the negatives that the user truly likes; known for synthetic data only."},
          {"valid_positives", "Validation items among the negatives",
           "Share of the negatives that are validation items of the user."},
          {"popularity", "Popularity of the negatives", "Mean number of training pairs per item."}};
}

std::optional<double> curve_value(const RunEvent& event, const std::string& name) {
  if (name == "loss") return event.mean_loss;
  if (name == "hardness") return event.hardness;
  if (name.find('@') != std::string::npos) return event.valid;
  return negative_value(event, name);
}

ReportSection curves_section(const Summary& summary) {
  ReportSection section{.id = "curves", .title = "Learning curves"};
  const size_t epochs = longest_log(summary);
  const size_t step = epochs / kMostEpochs + 1;
  for (const CurveQuantity& quantity : curve_quantities(summary)) {
    std::string words = quantity.name;
    std::replace(words.begin(), words.end(), '_', ' ');
    const bool is_validation = quantity.name.find('@') != std::string::npos;
    ReportTable data = curve_table(summary, quantity.name, is_validation ? 1 : step);
    if (data.rows().empty()) continue;
    section.add_chart({.kind = is_validation || epochs < 3 ? ChartKind::kLine : ChartKind::kCurve,
                       .title = quantity.title,
                       .x = {.column = "epoch"},
                       .y = {.column = quantity.name, .title = std::move(words)},
                       .colour = series_channel(),
                       .colour_order = series_of(summary)},
                      std::move(data), quantity.text);
    if (is_validation) section.blocks.back().chart.kind = ChartKind::kCurve;
  }
  section.text =
      "Means over the seeds that reached the epoch; bands and bars show one standard deviation.";
  if (step > 1) section.text += fmt::format(" One epoch in {} is drawn.", step);
  return section;
}

ReportSection phases_section(const Summary& summary) {
  ReportSection section{.id = "phases", .title = "Where the time went"};
  ReportTable data("", {{"row"}, {"phase"}, {"seconds per epoch"}});
  for (const SummaryRow& row : summary.rows)
    for (const Phase& phase : kPhases) {
      const auto seconds = row.over_runs([&](const SourceRun& run) -> std::optional<double> {
        if (run.epochs == 0 || run.seconds.total() <= 0) return std::nullopt;
        return run.seconds.*phase.seconds / run.epochs;
      });
      if (seconds) data.add({row.series, phase.name, Figure{.value = seconds->mean}});
    }
  if (data.rows().empty()) return section;
  section.add_chart({.kind = ChartKind::kStackedBar,
                     .title = "Seconds per epoch by phase",
                     .x = {.column = "seconds per epoch", .from_zero = true},
                     .y = {.column = "row", .title = " ", .type = Channel::Type::kName},
                     .colour = {.column = "phase", .title = " ", .type = Channel::Type::kName},
                     .height = static_cast<int>(40 + 26 * summary.rows.size())},
                    std::move(data),
                    "Mean over the seeds. Sampling: candidates and choice of the negatives; "
                    "propagation: vectors from parameters and back; evaluation: validation and "
                    "statistics of the negatives.");
  return section;
}

}  // namespace divns
