// SPDX-License-Identifier: Apache-2.0
#include "study/run_store.h"

#include <algorithm>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "base/stopwatch.h"
#include "divns/model.h"
#include "eval/per_user_file.h"
#include "io/model_file.h"
#include "models/registry.h"
#include "study/dataset_training.h"
#include "study/evaluation_files.h"
#include "study/resolved_setup.h"
#include "study/run_events.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
constexpr const char* kTestMetrics = "metrics_test.json";
constexpr const char* kTestPerUser = "per_user_test.safetensors";

Json read_json(const fs::path& path) {
  Json json = parse_json_if_valid(read_text_file(path));
  if (!json.is_object())
    fail("{} is damaged; remove its folder to have the run repeated.", path.string());
  return json;
}

// A model without vectors, whose scores no model file can hold.
bool is_without_vectors(const PlannedRun& run) {
  const FittedModelEntry* entry = find_fitted_model(run.spec.model);
  return entry != nullptr && !entry->has_vectors;
}

// Each kind of run writes the file that tells it last.
bool is_finished(const fs::path& folder, const PlannedRun& run) {
  return fs::exists(folder / (is_without_vectors(run) ? "metrics.json" : kModelFileName));
}

// The best of the first epochs.
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

PhaseSeconds seconds_of(const Json& metrics) {
  const Json seconds = metrics.value("seconds", Json::object());
  const auto of = [&](const char* name) { return seconds.value(name, 0.0); };
  return {of("sampling"), of("propagation"), of("gradient"), of("optimiser"), of("evaluation")};
}

NamedValues test_metrics(const fs::path& folder) {
  NamedValues values;
  if (!fs::exists(folder / kTestMetrics)) return values;
  const Json json = read_json(folder / kTestMetrics);
  const auto metrics = json.find("metrics");
  if (metrics == json.end()) return values;
  for (const auto& [name, value] : metrics->items())
    if (value.is_number()) values.emplace_back(name, value.get<double>());
  return values;
}

// Whether the test part was measured at all of these cut-offs.
bool has_test(const fs::path& folder, const std::vector<uint32_t>& cutoffs) {
  const NamedValues values = test_metrics(folder);
  return std::all_of(cutoffs.begin(), cutoffs.end(), [&](uint32_t k) {
    const std::string name = fmt::format("{}@{}", metric_name(Metric::kRecall), k);
    return std::any_of(values.begin(), values.end(),
                       [&](const auto& entry) { return entry.first == name; });
  });
}

RunRecord record_of_finished(const fs::path& folder) {
  const Json metrics = read_json(folder / "metrics.json");
  RunRecord record;
  record.finished = true;
  record.epochs = metrics.value("epochs", 0U);
  if (metrics.contains("valid_recall@20")) record.valid = metrics.value("valid_recall@20", 0.0);
  record.best_epoch = metrics.value("best_epoch", 0U);
  record.seconds = seconds_of(metrics);
  record.negatives = mean_negatives(read_run_events(folder));
  record.test = test_metrics(folder);
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
  return is_finished(folder, run) && (!demand.final || has_test(folder, demand.cutoffs));
}

RunRecord RunStore::execute(const PlannedRun& run, const RunDemand& demand,
                            const Executor& executor, const RunHooks& hooks) const {
  const fs::path folder = folder_of(run);
  if (auto record = paused(run, demand)) return *record;
  if (!has(run, demand)) {
    const bool done = is_without_vectors(run) ? fit_and_measure(run, demand, executor, hooks)
                                              : train(run, demand, executor, hooks);
    if (!done) return paused(run, demand).value_or(RunRecord());
  }
  if (demand.final && !has_test(folder, demand.cutoffs)) {
    const TrainedModel model = TrainedModel::load(folder);
    measure_test(data_, {model.user_vectors(), model.item_vectors()}, folder, run.id,
                 demand.cutoffs, executor);
  }
  return record_of_finished(folder);
}

RunRequest RunStore::request(const PlannedRun& run, const ResolvedSetup& resolved,
                             const RunDemand& demand) const {
  return {.folder = folder_of(run),
          .resume = true,
          .checkpoint_seconds = demand.checkpoint_seconds,
          .config = resolved.setup.config(),
          .config_text = run.config,
          .pause_after = demand.pause_after};
}

// False if the training stopped before its end.
bool RunStore::train(const PlannedRun& run, const RunDemand& demand, const Executor& executor,
                     const RunHooks& hooks) const {
  if (is_finished(folder_of(run), run)) return true;
  ResolvedSetup resolved(run.spec);
  const RunRequest asked = request(run, resolved, demand);
  return train_on(data_, resolved.setup, asked, executor, hooks).finished;
}

// Both in one, because the scores are lost with the model. Where it was fitted for its validation
// alone, it is fitted again.
bool RunStore::fit_and_measure(const PlannedRun& run, const RunDemand& demand,
                               const Executor& executor, const RunHooks& hooks) const {
  std::error_code ignored;
  fs::remove(folder_of(run) / "metrics.json", ignored);
  ResolvedSetup resolved(run.spec);
  const RunRequest asked = request(run, resolved, demand);
  const auto model = resolved.setup.take_fitted_model();
  const RunResult result = fit_on(data_, *model, asked, executor, hooks);
  if (result.finished && demand.final)
    measure_test(data_, model->scorer(), asked.folder, run.id, demand.cutoffs, executor);
  return result.finished;
}

// The record at the pause that is asked for, if the run has come that far. Events beyond the
// checkpoint are as true as those before it: they would come out the same.
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
    fail("{} holds values of other data; remove its folder to have the run repeated.",
         path.string());
  return std::move(file.metrics);
}

}  // namespace divns
