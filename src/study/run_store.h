// SPDX-License-Identifier: Apache-2.0
// The runs of a study, as folders by the name of the run. In <folder>/<id>/ there are
//   config.toml, run.json, events.jsonl, metrics.json, model.safetensors   of the training,
//   metrics_test.json, per_user_test.safetensors   once the test part was opened.
// A run that is there already is taken as it is; one that was interrupted goes on.
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

#include "base/parallel.h"
#include "divns/dataset.h"
#include "eval/evaluate.h"
#include "study/run_spec.h"
#include "train/run.h"

namespace divns {

struct ResolvedSetup;
using NamedValues = std::vector<std::pair<std::string, double>>;

// What a study knows of a run. All but `seconds` is the same however often the run was interrupted.
struct RunRecord {
  bool finished = false;  // false: stopped by the caller, or paused
  uint32_t epochs = 0;
  std::optional<double> valid;  // best validation Recall@20 so far
  uint32_t best_epoch = 0;      // of that validation, counted from 0
  NamedValues negatives;        // mean over the epochs of what was measured on the negatives drawn
  NamedValues test;             // means over users by name, "recall@20"; empty while sealed
  PhaseSeconds seconds;         // of training; a fitted model's are all the optimiser's

  // The metric must be there.
  double test_metric(std::string_view name) const;
};

struct RunDemand {
  // When the run is done, open the test part and measure. Tuning never asks for it.
  bool final = false;
  std::vector<uint32_t> cutoffs = {10, 20, 50};
  // Pause after so many epochs; a later call goes on from there.
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

  // Trains what is missing, if anything, and measures on the test part if that is asked for.
  // Different runs may be executed at the same time.
  RunRecord execute(const PlannedRun& run, const RunDemand& demand, const Executor& executor,
                    const RunHooks& hooks = {}) const;
  // True if execute would find everything there.
  bool has(const PlannedRun& run, const RunDemand& demand) const;

  // Values of every user on the test part, for paired tests; the run must have been executed with
  // `final`.
  PerUserMetrics per_user_test(const PlannedRun& run) const;

 private:
  bool train(const PlannedRun& run, const RunDemand& demand, const Executor& executor,
             const RunHooks& hooks) const;
  bool fit_and_measure(const PlannedRun& run, const RunDemand& demand, const Executor& executor,
                       const RunHooks& hooks) const;
  RunRequest request(const PlannedRun& run, const ResolvedSetup& resolved,
                     const RunDemand& demand) const;
  std::optional<RunRecord> paused(const PlannedRun& run, const RunDemand& demand) const;

  std::filesystem::path folder_;
  const Dataset& data_;
};

}  // namespace divns
