// SPDX-License-Identifier: Apache-2.0
// The runs of a study, as folders named by the id of the run. <folder>/<id>/ contains
//   config.toml, run.json, events.jsonl, metrics.json, model.safetensors   from training,
//   metrics_test.json, per_user_test.safetensors   after the test part was evaluated.
// A finished run is reused; an interrupted one continues.
//
//   RunStore store("study/runs", data);
//   const PlannedRun run = store.plan({.model = "mf", .sampler = "dns", .seed = 2});
//   const RunRecord record = store.execute(run, {.final = true}, executor);
//   record.test_metric("recall@20");
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "divns/dataset.h"
#include "divns/evaluate.h"
#include "divns/parallel.h"
#include "run/run.h"
#include "study/run_spec.h"

namespace divns {

struct ResolvedSetup;
using NamedValues = std::vector<std::pair<std::string, double>>;

// The record of a run. All fields except `seconds` are the same no matter how often the run was
// interrupted.
struct RunRecord {
  bool finished = false;  // false: stopped by the caller, or paused
  uint32_t epochs = 0;
  std::string valid_name = "recall@20";  // the validation metric
  std::optional<double> valid;           // its best value so far
  uint32_t best_epoch = 0;               // of that validation, counted from 0
  NamedValues negatives;  // mean over the epochs of what was measured on the negatives drawn
  NamedValues test;       // means over users by name, "recall@20"; empty while sealed
  PhaseSeconds seconds;   // of training; a fitted model's are all the optimiser's

  // The metric must exist.
  double test_metric(std::string_view name) const;
};

struct RunDemand {
  // Evaluate on the test part when the run is finished. Tuning never sets it.
  bool final = false;
  std::vector<uint32_t> cutoffs = {10, 20, 50};
  // Pause after this many epochs; a later call continues.
  std::optional<uint32_t> pause_after = {};
  double checkpoint_seconds = 30;
};

class RunStore {
 public:
  // The dataset must outlive the store.
  RunStore(std::filesystem::path folder, const Dataset& data);

  const Dataset& data() const { return data_; }
  PlannedRun plan(const RunSpec& spec) const { return plan_run(spec, data_.hash()); }
  std::filesystem::path folder_of(const PlannedRun& run) const { return folder_ / run.id; }

  // Trains what is missing, if anything, and evaluates on the test part if requested. Different
  // runs may be executed at the same time.
  RunRecord execute(const PlannedRun& run, const RunDemand& demand, const Executor& executor,
                    const TrainCallbacks& hooks = {}) const;
  // Whether execute() would find all results.
  bool has(const PlannedRun& run, const RunDemand& demand) const;

  // Values of every user on the test part, for paired tests. The run must have been executed with
  // `final`.
  PerUserMetrics per_user_test(const PlannedRun& run) const;

 private:
  bool train(const PlannedRun& run, const RunDemand& demand, const Executor& executor,
             const TrainCallbacks& hooks) const;
  bool fit_and_measure(const PlannedRun& run, const RunDemand& demand, const Executor& executor,
                       const TrainCallbacks& hooks) const;
  RunRequest request(const PlannedRun& run, const ResolvedSetup& resolved,
                     const RunDemand& demand) const;
  std::optional<RunRecord> paused(const PlannedRun& run, const RunDemand& demand) const;

  std::filesystem::path folder_;
  const Dataset& data_;
};

}  // namespace divns
