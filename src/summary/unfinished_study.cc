// SPDX-License-Identifier: Apache-2.0
#include "summary/unfinished_study.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/check.h"
#include "base/json.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRequestName = "request.json";

std::vector<SourceRun> runs_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (is_run_folder(entry.path())) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<SourceRun> runs;
  for (const fs::path& path : paths) runs.push_back(read_source_run(path));
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
    return std::tie(a.model, a.sampler, a.seed) < std::tie(b.model, b.sampler, b.seed);
  });
  return runs;
}

const Json& rows_of(const Json& request) {
  static const Json kNoRows = Json::array();
  const auto rows = request.is_object() ? request.find("rows") : request.end();
  return rows != request.end() && rows->is_array() ? *rows : kNoRows;
}

SummaryRow row_asked(const Json& row) {
  SummaryRow result;
  result.label = json_string(row, "label", "", kRequestName);
  result.config = json_string(row, "config", "", kRequestName);
  result.group = json_string(row, "group", "", kRequestName);
  result.model = json_string(row, "model", "", kRequestName);
  const auto reference = row.find("reference");
  result.is_reference = reference != row.end() && *reference == true;
  return result;
}

void add_row(SummaryRow row, std::vector<SourceRun> runs, Summary& summary) {
  if (runs.empty()) return;
  row.model = runs.front().model;
  row.sampler = runs.front().sampler;
  if (row.group.empty()) row.group = row.model;
  row.runs = std::move(runs);
  summary.rows.push_back(std::move(row));
}

// Rows with their labels, as the study was asked for them.
void add_rows_asked(const Json& request, const fs::path& folder, Summary& summary) {
  const std::vector<SourceRun> runs = runs_in(folder);
  for (const Json& asked : rows_of(request)) {
    if (!asked.is_object()) continue;
    const SummaryRow row = row_asked(asked);
    const std::string key = without_seed(row.config);
    std::vector<SourceRun> own;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(own),
                 [&](const SourceRun& run) { return without_seed(run.config) == key; });
    add_row(row, std::move(own), summary);
  }
}

std::map<std::string, std::string> values_of(const std::string& config) {
  std::map<std::string, std::string> values;
  for (const std::string& line : lines_of(config))
    if (const size_t at = line.find(" = "); at != std::string::npos)
      values[line.substr(0, at)] = line.substr(at + 3);
  return values;
}

// The options that differ among the trials of a row, which the request does not list.
Json trials_json(const std::vector<SourceRun>& trials, const std::string& metric) {
  Json json = Json::array();
  std::vector<std::map<std::string, std::string>> all;
  for (const SourceRun& trial : trials) all.push_back(values_of(trial.config));
  for (size_t t = 0; t < trials.size(); ++t) {
    Json entry = {{"settings", Json::object()}, {"rungs", Json::array()}};
    for (const auto& setting : all[t]) {
      const bool differs = std::any_of(all.begin(), all.end(), [&](const auto& other) {
        const auto at = other.find(setting.first);
        return at == other.end() || at->second != setting.second;
      });
      if (differs) entry["settings"][setting.first] = setting.second;
    }
    if (trials[t].valid)
      entry["rungs"].push_back(
          {{"epochs", trials[t].epochs}, {"valid_" + metric, *trials[t].valid}});
    json.push_back(std::move(entry));
  }
  return json;
}

void add_trials(const Json& request, const fs::path& folder, Summary& summary) {
  Json shown = Json::array();
  size_t count = 0;
  for (const Json& asked : rows_of(request)) {
    const auto names = asked.is_object() ? asked.find("runs") : asked.end();
    if (names == asked.end() || !names->is_array()) continue;
    std::vector<SourceRun> trials;
    for (const Json& name : *names) {
      const std::string id = name.is_string() ? name.get<std::string>() : "";
      if (is_run_name(id) && is_run_folder(folder / id))
        trials.push_back(read_source_run(folder / id));
    }
    if (trials.empty()) continue;
    count += trials.size();
    if (summary.metrics.empty()) summary.metrics = {trials.front().valid_name};
    shown.push_back({{"trials", trials_json(trials, summary.main_metric())}});
    const auto best =
        std::max_element(trials.begin(), trials.end(), [](const SourceRun& a, const SourceRun& b) {
          return a.valid.value_or(-1) < b.valid.value_or(-1);
        });
    SummaryRow row = row_asked(asked);
    row.config = best->config;
    add_row(std::move(row), {std::move(*best)}, summary);
  }
  if (summary.rows.empty()) return;
  summary.tuning = {{"rows", std::move(shown)}};
  summary.on_test = false;
  summary.notes.push_back(
      fmt::format("{} trials have begun. Each row shows its best trial so far.", count));
}

}  // namespace

void read_unfinished_study(const Json& request, const fs::path& runs, Summary& summary) {
  if (request.is_object()) summary.verb = json_string(request, "verb", "", kRequestName);
  if (summary.verb == "tune") return add_trials(request, runs, summary);
  add_rows_asked(request, runs, summary);
  if (summary.rows.empty()) return add_runs(runs_in(runs), summary);
  choose_metrics(summary);
}

}  // namespace divns
