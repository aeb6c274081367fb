// SPDX-License-Identifier: Apache-2.0
#include "summary/summary.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "summary/document.h"
#include "summary/run_tests.h"
#include "summary/study_source.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
constexpr size_t kLongestSeries = 40;  // characters, so that a legend stays a legend

// The settings of one configuration that another does not have, as "l2=0.01 dns.candidates=4".
std::string difference(const std::string& config, const std::string& other) {
  const std::vector<std::string> theirs = lines_of(other);
  const std::set<std::string> known(theirs.begin(), theirs.end());
  std::string text;
  for (std::string line : lines_of(config)) {
    if (known.contains(line) || line.starts_with("seed = ")) continue;
    if (const size_t at = line.find(" = "); at != std::string::npos) line.replace(at, 3, "=");
    text += (text.empty() ? "" : " ") + line;
  }
  return text.substr(0, 80);
}

// Rows of one model and sampler are told apart by what differs from the first of them. Rows on
// different datasets are in different groups.
void label_rows(std::vector<SummaryRow>& rows) {
  std::set<std::string> datasets;
  for (const SummaryRow& row : rows) datasets.insert(row.runs.front().dataset_hash);
  for (SummaryRow& row : rows) {
    const SourceRun& run = row.runs.front();
    row.group = row.model;
    if (datasets.size() > 1) row.group += " on " + fs::path(run.data_folder).stem().string();
    row.label = row.sampler.empty() ? row.model : row.sampler;
    if (run.loss != "bpr" && !row.sampler.empty()) row.label += " + " + run.loss;
  }
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t later = r + 1; later < rows.size(); ++later)
      if (rows[later].group == rows[r].group && rows[later].label == rows[r].label) {
        const std::string what = difference(rows[later].config, rows[r].config);
        rows[later].label += what.empty() ? fmt::format(" ({})", later) : " " + what;
      }
}

}  // namespace

std::string without_seed(const std::string& config) {
  const size_t at = config.starts_with("seed = ") ? 0 : config.find("\nseed = ");
  if (at == std::string::npos) return config;
  const size_t end = std::min(config.find('\n', at + 1), config.size());
  return config.substr(0, at) + config.substr(end);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void choose_metrics(Summary& summary) {
  summary.on_test =
      std::all_of(summary.rows.begin(), summary.rows.end(), [](const SummaryRow& row) {
        return std::any_of(row.runs.begin(), row.runs.end(),
                           [](const SourceRun& run) { return !run.test.empty(); });
      });
  const SourceRun& first = summary.rows.front().runs.front();
  if (!summary.on_test) {
    summary.metrics = {first.valid_name};
    return;
  }
  for (const char* name : {"recall@10", "ndcg@10", "recall@20", "ndcg@20"})
    if (summary.value(first, name)) summary.metrics.emplace_back(name);
  if (!summary.metrics.empty()) return;
  for (const auto& [name, value] : first.test) summary.metrics.push_back(name);
}

std::optional<double> Summary::value(const SourceRun& run, const std::string& metric) const {
  if (!on_test) return run.valid;
  const auto at = std::find_if(run.test.begin(), run.test.end(),
                               [&](const auto& entry) { return entry.first == metric; });
  return at == run.test.end() ? std::nullopt : std::optional(at->second);
}

std::optional<Moments> Summary::value(const SummaryRow& row, const std::string& metric) const {
  return row.over_runs([&](const SourceRun& run) { return value(run, metric); });
}

std::vector<std::pair<size_t, size_t>> Summary::groups() const {
  std::vector<std::pair<size_t, size_t>> bounds;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (r == 0 || rows[r].group != rows[r - 1].group) bounds.emplace_back(r, r);
    bounds.back().second = r + 1;
  }
  return bounds;
}

const SummaryTest* Summary::find_test(const SummaryRow& reference, const SummaryRow& other,
                                      const std::string& metric) const {
  const auto at = std::find_if(tests.begin(), tests.end(), [&](const SummaryTest& test) {
    return test.group == reference.group && test.metric == metric &&
           test.reference == reference.label && test.other == other.label;
  });
  return at == tests.end() ? nullptr : &*at;
}

void add_runs(std::vector<SourceRun> runs, Summary& summary) {
  std::vector<std::string> keys;
  for (SourceRun& run : runs) {
    const std::string key = without_seed(run.config) + run.dataset_hash;
    const auto at = static_cast<size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    if (at == keys.size()) {
      keys.push_back(key);
      summary.rows.push_back({.group = {},
                              .model = run.model,
                              .label = {},
                              .series = {},
                              .sampler = run.sampler,
                              .config = run.config,
                              .is_reference = false,
                              .runs = {}});
    }
    summary.rows[at].runs.push_back(std::move(run));
  }
  std::stable_sort(summary.rows.begin(), summary.rows.end(), [](const auto& a, const auto& b) {
    return std::tie(a.model, a.runs.front().dataset_hash) <
           std::tie(b.model, b.runs.front().dataset_hash);
  });
  label_rows(summary.rows);
  if (!summary.rows.empty()) choose_metrics(summary);
}

void name_series(Summary& summary) {
  std::multiset<std::string> labels;
  for (const SummaryRow& row : summary.rows) labels.insert(row.label);
  std::set<std::string> used;
  for (SummaryRow& row : summary.rows) {
    const bool is_unique = labels.count(row.label) == 1;
    const std::string name =
        shown_text(is_unique ? row.label : row.group + " " + row.label, kLongestSeries);
    // Two long names may begin alike; a number tells them apart.
    row.series = name;
    for (int number = 2; !used.insert(row.series).second; ++number)
      row.series = fmt::format("{} #{}", name, number);
  }
}

Summary read_summary(std::span<const fs::path> folders, const fs::path& shared_runs,
                     const Executor& executor) {
  Summary summary;
  std::vector<SourceRun> runs;
  for (const fs::path& folder : folders) {
    if (!fs::exists(folder))
      fail("{} does not exist. Give the folder of a run or a study.", folder.string());
    if (is_study_folder(folder)) {
      if (folders.size() > 1)
        fail("{} is a study, and a study is reported alone. Give its folder only, or run folders.",
             folder.string());
      return read_study_summary(folder, shared_runs);
    }
    runs.push_back(read_source_run(folder));
  }
  if (runs.empty())
    fail("no folder was given. Give the folders of runs, or the folder of a study.");
  add_runs(std::move(runs), summary);
  name_series(summary);
  test_runs(summary, executor);
  return summary;
}

}  // namespace divns
