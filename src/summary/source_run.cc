// SPDX-License-Identifier: Apache-2.0
#include "summary/source_run.h"

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "models/registry.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
constexpr const char* kAbout = "run.json";

// Values that are not numbers (NaN is written as null) are left out.
SummaryValues numbers_of(const Json& object) {
  SummaryValues values;
  if (!object.is_object()) return values;
  for (const auto& [name, value] : object.items())
    if (value.is_number()) values.emplace_back(name, value.get<double>());
  return values;
}

std::string range_of(const Json& group, const std::string& file) {
  const uint32_t low = json_count(group, "low", 0, file);
  const uint32_t high = json_count(group, "high", 0, file);
  return low == high ? std::to_string(low) : fmt::format("{}-{}", low, high);
}

const Json& member(const Json& object, const char* key) {
  static const Json kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

void read_test(const fs::path& path, SourceRun& run) {
  const Json json = read_sealed_json(path.string());
  const std::string file = path.string();
  run.test = numbers_of(member(json, "metrics"));
  const auto add = [&](const char* key, std::vector<SourceGroup>& groups, auto&& values_of) {
    const Json& list = member(json, key);
    if (!list.is_array()) return;
    for (const Json& group : list) {
      if (!group.is_object())
        fail("{} is damaged: '{}' holds something else than groups.", file, key);
      groups.push_back({range_of(group, file), values_of(group)});
    }
  };
  add("by_activity", run.by_activity,
      [](const Json& group) { return numbers_of(member(group, "metrics")); });
  add("by_popularity", run.by_popularity, [](const Json& group) {
    SummaryValues values;
    const Json& at = member(group, "at");
    if (at.is_object())
      for (const auto& [cutoff, entry] : at.items())
        for (const auto& [name, value] : numbers_of(entry))
          values.emplace_back(name + "@" + cutoff, value);
    return values;
  });
}

void read_metrics(const fs::path& path, SourceRun& run) {
  const std::string file = path.string();
  const Json metrics = read_sealed_json(file);
  run.finished = true;
  run.epochs = json_count(metrics, "epochs", run.epochs, file);
  run.best_epoch = json_count(metrics, "best_epoch", run.best_epoch, file);
  constexpr std::string_view kValid = "valid_";
  for (const auto& [name, value] : metrics.items())
    if (name.starts_with(kValid)) {
      run.valid_name = name.substr(kValid.size());
      run.valid = json_number(metrics, name.c_str(), 0, file);
    }
  const Json& seconds = member(metrics, "seconds");
  if (!seconds.is_object()) return;
  for (const Phase& phase : kPhases)
    run.seconds.*phase.seconds = json_number(seconds, phase.name, 0, file);
}

void read_events(SourceRun& run) {
  run.events = run.finished ? read_run_events(run.folder) : read_events_so_far(run.folder);
  if (run.finished) return;
  run.epochs = static_cast<uint32_t>(run.events.size());
  for (uint32_t e = 0; e < run.epochs; ++e) {
    const RunEvent& event = run.events[e];
    run.seconds += event.seconds;
    if (!event.valid || (run.valid && *event.valid < *run.valid)) continue;
    run.valid = event.valid;
    run.best_epoch = e;
  }
}

}  // namespace

std::string SourceRun::option(const std::string& name) const {
  const std::string start = name + " = ";
  for (size_t at = 0; at < config.size();) {
    const size_t end = std::min(config.find('\n', at), config.size());
    if (config.compare(at, start.size(), start) == 0) {
      const std::string value = config.substr(at + start.size(), end - at - start.size());
      const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
      return quoted ? value.substr(1, value.size() - 2) : value;
    }
    at = end + 1;
  }
  return {};
}

bool is_run_name(const std::string& text) {
  return !text.empty() && text.find_first_of("/\\") == std::string::npos && text[0] != '.';
}

bool is_run_folder(const fs::path& folder) {
  return fs::is_directory(folder) && has_own_file(folder / kAbout);
}

SourceRun read_source_run(const fs::path& folder) {
  if (!is_run_folder(folder))
    fail("{} holds no run and no study. Give folders that divns train or divns compare wrote.",
         folder.string());
  const std::string file = (folder / kAbout).string();
  const Json about = read_sealed_json(file);
  SourceRun run;
  run.folder = folder;
  run.model = json_string(about, "model", "", file);
  run.sampler = json_string(about, "sampler", "", file);
  run.seed = json_count(about, "seed", 0, file);
  run.dataset_hash = json_string(about, "dataset_hash", "", file);
  run.data_folder = json_string(about, "data", "", file);
  run.machine = json_string(about, "machine", "", file);
  run.version = json_string(about, "divns_version", "", file);
  if (run.model.empty() || run.dataset_hash.empty())
    fail("{} was not written by divns: it names no model or no dataset.", file);
  if (find_fitted_model(run.model) != nullptr) run.sampler.clear();
  if (has_own_file(folder / "config.toml"))
    run.config = read_text_file(folder / "config.toml", Links::kRefuse);
  run.loss = run.option("loss");
  if (run.loss.empty()) run.loss = "bpr";
  if (const std::string metric = run.option("valid_metric"); !metric.empty())
    run.valid_name = metric;
  if (has_own_file(folder / "metrics.json")) read_metrics(folder / "metrics.json", run);
  read_events(run);
  if (has_own_file(folder / "metrics_test.json")) read_test(folder / "metrics_test.json", run);
  return run;
}

}  // namespace divns
