// SPDX-License-Identifier: Apache-2.0
#include "study/run_store.h"

#include <algorithm>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "divns/metric.h"
#include "divns/model.h"
#include "divns/stopwatch.h"
#include "eval/per_user_file.h"
#include "io/model_file.h"
#include "models/registry.h"
#include "run/dataset_training.h"
#include "run/resolved_setup.h"
#include "run/run_events.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
constexpr const char* kTestMetrics = "metrics_test.json";
constexpr const char* kTestPerUser = "per_user_test.safetensors";

// Item-item weights take 4 bytes per pair of items. A study measures such models and does not keep
// them.
bool is_not_kept(const PlannedRun& run) {
  const FittedModelEntry* entry = find_fitted_model(run.spec.model);
  return entry != nullptr && !entry->has_vectors;
}

// The file that each kind of run writes last.
bool is_finished(const fs::path& folder, const PlannedRun& run) {
  return has_own_file(folder / (is_not_kept(run) ? "metrics.json" : kModelFileName));
}

// The best validation of the first epochs.
RunRecord record_of_events(std::vector<RunEvent> events, uint32_t epochs) {
  events.resize(epochs);
  RunRecord record;
  record.epochs = epochs;
  for (uint32_t e = 0; e < epochs; ++e)
    if (events[e].valid && (!record.valid || *events[e].valid >= *record.valid)) {
      record.valid = events[e].valid;
      record.best_epoch = e;
    }
  record.negatives = mean_negatives(events);
  return record;
}

PhaseSeconds seconds_of(const Json& metrics, const std::string& file) {
  const auto seconds = metrics.find("seconds");
  PhaseSeconds result;
  if (seconds != metrics.end())
    for (const Phase& phase : kPhases)
      result.*phase.seconds = json_number(*seconds, phase.name, 0, file);
  return result;
}

// The metrics of the test part as a study measures it. Others (another mask, another dataset) count
// as not measured.
NamedValues test_metrics(const fs::path& folder, const std::string& dataset_hash) {
  NamedValues values;
  if (!has_own_file(folder / kTestMetrics)) return values;
  const Json json = read_sealed_json((folder / kTestMetrics).string());
  const auto metrics = json.find("metrics");
  const auto holds = [&](const char* name, const std::string& text) {
    const auto value = json.find(name);
    return value != json.end() && *value == text;
  };
  if (metrics == json.end() || !metrics->is_object() || !holds("part", "test") ||
      !holds("mask", "train") || !holds("dataset_hash", dataset_hash))
    return values;
  for (const auto& [name, value] : metrics->items())
    if (value.is_number()) values.emplace_back(name, value.get<double>());
  return values;
}

// Whether the test part was evaluated by every metric at all of these cut-offs.
bool has_test(const fs::path& folder, const std::string& dataset_hash,
              const std::vector<uint32_t>& cutoffs) {
  const NamedValues values = test_metrics(folder, dataset_hash);
  const auto is_measured = [&](const MetricEntry& metric, uint32_t k) {
    const std::string name = fmt::format("{}@{}", metric.name, k);
    return std::any_of(values.begin(), values.end(),
                       [&](const auto& entry) { return entry.first == name; });
  };
  return std::all_of(cutoffs.begin(), cutoffs.end(), [&](uint32_t k) {
    return std::ranges::all_of(metrics(),
                               [&](const MetricEntry& metric) { return is_measured(metric, k); });
  });
}

RunRecord record_of_finished(const fs::path& folder, const std::string& dataset_hash) {
  const std::string file = (folder / "metrics.json").string();
  const Json metrics = read_sealed_json(file);
  if (!metrics.contains("epochs") || !metrics.contains("seconds"))
    fail("{} is not the metrics of a finished run; remove its folder to repeat the run.", file);
  RunRecord record;
  record.finished = true;
  record.epochs = json_count(metrics, "epochs", 0, file);
  constexpr std::string_view kValid = "valid_";
  for (const auto& [name, value] : metrics.items())
    if (name.starts_with(kValid)) {
      record.valid_name = name.substr(kValid.size());
      record.valid = json_number(metrics, name.c_str(), 0, file);
    }
  record.best_epoch = json_count(metrics, "best_epoch", 0, file);
  record.seconds = seconds_of(metrics, file);
  record.negatives = mean_negatives(read_run_events(folder));
  record.test = test_metrics(folder, dataset_hash);
  return record;
}

void measure_test(const Dataset& data, const Scorer& scorer, const fs::path& folder,
                  const std::string& id, const std::vector<uint32_t>& cutoffs,
                  const Executor& executor) {
  const Dataset::TestPart test = data.open_test();
  const Stopwatch watch;
  EvaluationRequest request{scorer.users, scorer.items, data.train(), test.interactions()};
  request.scores = scorer.source;
  request.cutoffs = cutoffs;
  request.details = true;
  const Evaluation evaluation = evaluate(request, executor);
  if (evaluation.evaluated_users() == 0)
    fail("No user of {} has an item in the test part: there is nothing to compare.",
         data.folder().string());
  write_evaluation(folder, {id, data.hash(), "test", "train", watch.seconds()}, evaluation);
}

}  // namespace

double RunRecord::test_metric(std::string_view name) const {
  const auto at = std::find_if(test.begin(), test.end(),
                               [&](const auto& entry) { return entry.first == name; });
  DIVNS_ASSERT(at != test.end());
  return at->second;
}

RunStore::RunStore(fs::path folder, const Dataset& data)
    : folder_(std::move(folder)), data_(data) {}

bool RunStore::has(const PlannedRun& run, const RunDemand& demand) const {
  if (paused(run, demand)) return true;
  const fs::path folder = folder_of(run);
  return is_finished(folder, run) &&
         (!demand.final || has_test(folder, data_.hash(), demand.cutoffs));
}

RunRecord RunStore::execute(const PlannedRun& run, const RunDemand& demand,
                            const Executor& executor, const TrainCallbacks& hooks) const {
  const fs::path folder = folder_of(run);
  // A process that was killed may have left temporary files in a run that needs no more work.
  if (fs::is_directory(fs::symlink_status(folder))) remove_leftovers(folder);
  if (auto record = paused(run, demand)) return *record;
  if (!has(run, demand)) {
    const bool done = is_not_kept(run) ? fit_and_measure(run, demand, executor, hooks)
                                       : train(run, demand, executor, hooks);
    if (!done) return paused(run, demand).value_or(RunRecord());
  }
  if (demand.final && !has_test(folder, data_.hash(), demand.cutoffs)) {
    const TrainedModel model = TrainedModel::load(folder);
    if (model.config() != run.config || model.dataset_hash() != data_.hash())
      fail("{} holds the model of another run; remove the folder to have the run repeated.",
           folder.string());
    measure_test(data_, model.scorer(), folder, run.id, demand.cutoffs, executor);
  }
  return record_of_finished(folder, data_.hash());
}

RunRequest RunStore::request(const PlannedRun& run, const ResolvedSetup& resolved,
                             const RunDemand& demand) const {
  make_own_folder(folder_of(run));
  return {.folder = folder_of(run),
          .resume = true,
          .checkpoint_seconds = demand.checkpoint_seconds,
          .config = resolved.setup.config(),
          .config_text = run.config,
          .pause_after = demand.pause_after,
          .keep_model = !is_not_kept(run)};
}

// Returns false if the training was stopped.
bool RunStore::train(const PlannedRun& run, const RunDemand& demand, const Executor& executor,
                     const TrainCallbacks& hooks) const {
  if (is_finished(folder_of(run), run)) return true;
  ResolvedSetup resolved(run.spec.all_settings());
  const RunRequest asked = request(run, resolved, demand);
  return train_on(data_, resolved.setup, asked, executor, hooks).finished;
}

// Fit and evaluation in one function, because the scores are lost with the model. If it was fitted
// only for its validation before, it is fitted again.
bool RunStore::fit_and_measure(const PlannedRun& run, const RunDemand& demand,
                               const Executor& executor, const TrainCallbacks& hooks) const {
  if (const fs::path old = folder_of(run) / "metrics.json"; has_own_file(old)) fs::remove(old);
  ResolvedSetup resolved(run.spec.all_settings());
  const RunRequest asked = request(run, resolved, demand);
  const auto model = resolved.setup.take_fitted_model();
  const RunResult result = fit_on(data_, *model, asked, executor, hooks);
  if (result.finished && demand.final)
    measure_test(data_, model->scorer(), asked.folder, run.id, demand.cutoffs, executor);
  return result.finished;
}

// The record at the requested pause, if the run has come that far. Events after the checkpoint are
// valid as well: they would be the same when repeated.
std::optional<RunRecord> RunStore::paused(const PlannedRun& run, const RunDemand& demand) const {
  if (!demand.pause_after) return std::nullopt;
  std::vector<RunEvent> events = read_run_events(folder_of(run));
  if (events.size() < *demand.pause_after) return std::nullopt;
  return record_of_events(std::move(events), *demand.pause_after);
}

PerUserMetrics RunStore::per_user_test(const PlannedRun& run) const {
  const fs::path path = folder_of(run) / kTestPerUser;
  PerUserFile file = read_per_user_file(path);
  if (file.dataset_hash != data_.hash() || file.part != "test")
    fail("{} has values of another dataset; remove its folder to repeat the run.", path.string());
  return std::move(file.metrics);
}

}  // namespace divns
