// SPDX-License-Identifier: Apache-2.0
#include "summary/study_source.h"

#include <algorithm>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "summary/sections.h"
#include "summary/unfinished_study.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

// Reads one study.json with sentences that name the file.
class StudyReader {
 public:
  StudyReader(const fs::path& folder, fs::path runs)
      : file_((folder / "study.json").string()),
        runs_(std::move(runs)),
        json_(parse_json_if_valid(read_text_file(folder / "study.json", Links::kRefuse))) {
    if (!json_.is_object() || json_string(json_, "format", "", file_) != "divns-study")
      fail("{} is damaged: it is not the result of a study.", file_);
  }

  void read(Summary& summary) {
    summary.verb = text(json_, "verb");
    summary.command = text(json_, "command");
    for (const Json& note : list(json_, "notes"))
      if (note.is_string()) summary.notes.push_back(note.get<std::string>());
    if (summary.verb == "tune") {
      summary.tuning = json_;
      summary.on_test = false;
      summary.metrics = {text(json_, "metric")};
      read_tuned_rows(summary);
      return;
    }
    for (const Json& metric : list(json_, "metrics"))
      if (metric.is_string()) summary.metrics.push_back(metric.get<std::string>());
    if (summary.metrics.empty()) fail("{} is damaged: it names no metrics.", file_);
    for (const Json& row : list(json_, "rows")) read_row(row, summary);
    for (const Json& test : list(json_, "tests")) read_pair_test(test, summary);
  }

 private:
  std::string text(const Json& object, const char* key) const {
    return json_string(object, key, "", file_);
  }

  const Json& list(const Json& object, const char* key) const {
    static const Json kEmpty = Json::array();
    const auto found = object.find(key);
    if (found == object.end()) return kEmpty;
    if (!found->is_array()) fail("{} is damaged: '{}' is not a list.", file_, key);
    return *found;
  }

  const Json& inner(const Json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object())
      fail("{} is damaged: '{}' is missing or no object.", file_, key);
    return *found;
  }

  SummaryRow row_of(const Json& row) const {
    if (!row.is_object()) fail("{} is damaged: a row is not an object.", file_);
    SummaryRow result;
    result.model = text(row, "model");
    result.label = text(row, "label");
    result.sampler = text(row, "sampler");
    result.config = text(row, "config");
    const auto group = row.find("group");
    result.group = group == row.end() ? result.model : text(row, "group");
    const auto reference = row.find("reference");
    result.is_reference = reference != row.end() && *reference == true;
    return result;
  }

  // A run's folder may be gone, or be somewhere else: then the numbers of study.json must do.
  SourceRun run_of(const Json& seed, const SummaryRow& row, Summary& summary) const {
    const std::string id = text(seed, "run");
    if (is_run_name(id) && is_run_folder(runs_ / id)) return read_source_run(runs_ / id);
    if (summary.notes.empty() || !summary.notes.back().starts_with("Some runs"))
      summary.notes.push_back(
          fmt::format("Some runs are not in {}: their curves and timings are missing. Name their "
                      "folder with --runs.",
                      runs_.string()));
    SourceRun run;
    run.model = row.model;
    run.sampler = row.sampler;
    run.config = row.config;
    run.finished = true;
    run.epochs = json_count(seed, "epochs", 0, file_);
    run.best_epoch = json_count(seed, "best_epoch", 0, file_);
    return run;
  }

  void read_row(const Json& json, Summary& summary) const {
    SummaryRow row = row_of(json);
    for (const Json& seed : list(json, "seeds")) {
      if (!seed.is_object()) fail("{} is damaged: a seed is not an object.", file_);
      SourceRun run = run_of(seed, row, summary);
      run.seed = json_count(seed, "seed", 0, file_);
      run.sampler = row.sampler;
      run.test.clear();
      for (const auto& [name, value] : inner(seed, "test").items())
        if (value.is_number()) run.test.emplace_back(name, value.get<double>());
      row.runs.push_back(std::move(run));
    }
    if (row.runs.empty()) fail("{} is damaged: a row has no runs.", file_);
    summary.rows.push_back(std::move(row));
  }

  // The winner of each row of a tuning.
  void read_tuned_rows(Summary& summary) const {
    const std::string valid = "valid_" + summary.main_metric();
    for (const Json& json : list(json_, "rows")) {
      SummaryRow row = row_of(json);
      const Json& trials = list(json, "trials");
      const uint32_t best = json_count(json, "best_trial", 0, file_);
      if (best >= trials.size()) fail("{} is damaged: there is no trial {}.", file_, best);
      SourceRun run = run_of(trials[best], row, summary);
      run.valid.reset();
      for (const Json& rung : list(trials[best], "rungs"))
        if (rung.contains(valid)) run.valid = json_number(rung, valid.c_str(), 0, file_);
      run.valid_name = summary.main_metric();
      row.config = run.config;
      row.runs.push_back(std::move(run));
      summary.rows.push_back(std::move(row));
    }
  }

  void read_pair_test(const Json& json, Summary& summary) const {
    if (!json.is_object()) fail("{} is damaged: a test is not an object.", file_);
    const Json& users = inner(json, "over_users");
    const Json& seeds = inner(json, "over_seeds");
    SummaryTest test{.group = text(json, "group"),
                     .metric = text(json, "metric"),
                     .reference = text(json, "reference"),
                     .other = text(json, "other"),
                     .difference = json_number(users, "mean_difference", 0, file_),
                     .interval = {},
                     .p_users = json_number(inner(users, "wilcoxon"), "p_holm", 1, file_),
                     .p_seeds = {}};
    const Json& interval = list(users, "interval");
    if (interval.size() == 2 && interval[0].is_number() && interval[1].is_number())
      test.interval = {interval[0].get<double>(), interval[1].get<double>()};
    if (json_count(seeds, "seeds", 0, file_) > 1)
      test.p_seeds = json_number(seeds, "p_holm", 1, file_);
    summary.tests.push_back(std::move(test));
  }

  std::string file_;
  fs::path runs_;
  Json json_;
};

}  // namespace

bool is_study_folder(const fs::path& folder) {
  return fs::is_directory(folder) && !is_run_folder(folder) &&
         (has_own_file(folder / "request.json") || fs::is_directory(folder / "runs") ||
          !reproduced_charts(folder).empty());
}

Summary read_study_summary(const fs::path& folder, const fs::path& shared_runs) {
  Summary summary;
  summary.folder = folder.string();
  const fs::path runs = shared_runs.empty() ? folder / "runs" : shared_runs;
  if (has_own_file(folder / "study.json")) {
    StudyReader(folder, runs).read(summary);
  } else {
    summary.finished = !has_own_file(folder / "request.json");
    const Json request =
        summary.finished
            ? Json()
            : parse_json_if_valid(read_text_file(folder / "request.json", Links::kRefuse));
    read_unfinished_study(request, runs, summary);
    if (!summary.finished)
      summary.notes.emplace_back("The study is not finished: the numbers will change.");
  }
  if (summary.rows.empty() && summary.finished && reproduced_charts(folder).empty())
    fail("{} holds no runs yet. Write the report when the first run has started.", folder.string());
  name_series(summary);
  return summary;
}

}  // namespace divns
