// SPDX-License-Identifier: Apache-2.0
// The trials of a tuning, and how much each option mattered.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/json.h"
#include "summary/sections.h"

namespace divns {
namespace {

struct TrialShown {
  std::string series;
  size_t number = 0;
  std::vector<std::pair<double, double>> rungs;  // epochs, best validation so far
  std::map<std::string, std::string> settings;
};

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<TrialShown> trials_of(const Summary& summary) {
  std::vector<TrialShown> trials;
  const std::string valid = "valid_" + summary.main_metric();
  const Json& rows = summary.tuning["rows"];
  for (size_t r = 0; r < rows.size() && r < summary.rows.size(); ++r) {
    const Json& list = rows[r]["trials"];
    for (size_t t = 0; t < list.size(); ++t) {
      TrialShown trial{.series = summary.rows[r].series, .number = t, .rungs = {}, .settings = {}};
      const auto settings = list[t].find("settings");
      if (settings != list[t].end() && settings->is_object())
        for (const auto& [name, value] : settings->items())
          trial.settings[name] = text_at(*settings, name.c_str());
      const auto rungs = list[t].find("rungs");
      if (rungs != list[t].end() && rungs->is_array())
        for (const Json& rung : *rungs) {
          const auto value = rung.find(valid);
          const auto epochs = rung.find("epochs");
          if (value != rung.end() && value->is_number() && epochs != rung.end() &&
              epochs->is_number())
            trial.rungs.emplace_back(epochs->get<double>(), value->get<double>());
        }
      if (!trial.rungs.empty()) trials.push_back(std::move(trial));
    }
  }
  return trials;
}

std::optional<double> as_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nullopt : std::optional(value);
}

// Ranks from 0; ties share their mean rank.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (size_t i = first; i < end; ++i) ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
    first = end;
  }
  return ranks;
}

// Spearman's correlation, squared.
double squared_rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks_of(a);
  const std::vector<double> y = ranks_of(b);
  const double middle = static_cast<double>(x.size() - 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - middle) * (y[i] - middle);
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
  }
  return xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
}

std::vector<std::string> tuned_options(const std::vector<TrialShown>& trials) {
  std::vector<std::string> names;
  for (const TrialShown& trial : trials)
    for (const auto& [name, value] : trial.settings)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

// All trials took part in the first rung, so its results can be compared.
ReportTable importance_table(const Summary& summary, const std::vector<TrialShown>& trials) {
  ReportTable data("", {{"row"}, {"option"}, {"importance"}});
  for (const SummaryRow& row : summary.rows)
    for (const std::string& option : tuned_options(trials)) {
      std::vector<double> values, results;
      for (const TrialShown& trial : trials) {
        const auto setting = trial.settings.find(option);
        if (trial.series != row.series || setting == trial.settings.end()) continue;
        if (const auto value = as_number(setting->second)) {
          values.push_back(*value);
          results.push_back(trial.rungs.front().second);
        }
      }
      if (values.size() >= 4)
        data.add({row.series, option, Figure{.value = squared_rank_correlation(values, results)}});
    }
  return data;
}

void add_option_charts(const Summary& summary, const std::vector<TrialShown>& trials,
                       ReportSection& section) {
  for (const std::string& option : tuned_options(trials)) {
    ReportTable data("", {{"row"}, {option}, {summary.main_metric()}, {"trial"}});
    bool numeric = true;
    double low = 1;
    for (const TrialShown& trial : trials)
      if (const auto at = trial.settings.find(option); at != trial.settings.end()) {
        const auto value = as_number(at->second);
        numeric = numeric && value.has_value();
        low = std::min(low, value.value_or(0));
      }
    for (const TrialShown& trial : trials)
      if (const auto at = trial.settings.find(option); at != trial.settings.end())
        data.add({trial.series,
                  numeric ? Cell(Figure{.value = *as_number(at->second)}) : shown_cell(at->second),
                  Figure{.value = trial.rungs.back().second},
                  Figure{.value = static_cast<double>(trial.number), .digits = 0}});
    section.add_chart(
        {.kind = ChartKind::kScatter,
         .title = "Trials by " + option,
         .x = {.column = option,
               .type = numeric ? Channel::Type::kNumber : Channel::Type::kOrder,
               .logarithmic = numeric && low > 0 && low < 0.05},
         .y = {.column = summary.main_metric(), .title = "validation " + summary.main_metric()},
         .colour = series_channel(),
         .colour_order = series_of(summary)},
        std::move(data));
  }
}

}  // namespace

ReportSection tuning_section(const Summary& summary) {
  ReportSection section{.id = "tuning", .title = "Tuning"};
  if (!summary.tuning.is_object()) return section;
  section.text =
      "Each point is a trial, with its best validation result as far as successive halving let it "
      "train.";
  const std::vector<TrialShown> trials = trials_of(summary);
  ReportTable importance = importance_table(summary, trials);
  if (!importance.rows().empty())
    section.add_chart({.kind = ChartKind::kBar,
                       .title = "Importance of the options",
                       .x = {.column = "option", .title = " ", .type = Channel::Type::kName},
                       .y = {.column = "importance", .from_zero = true},
                       .colour = series_channel(),
                       .colour_order = series_of(summary)},
                      std::move(importance),
                      "Squared rank correlation of the option's value with the result of the first "
                      "rung, over all trials; 0 says that no rising or falling trend was seen.");
  add_option_charts(summary, trials, section);
  return section;
}

}  // namespace divns
