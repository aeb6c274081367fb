// SPDX-License-Identifier: Apache-2.0
#include "study/tuning.h"

#include <algorithm>

#include "base/check.h"
#include "base/json.h"
#include "models/registry.h"
#include "run/resolved_setup.h"
#include "study/search_space.h"
#include "study/study_folder.h"
#include "study/tuning_report.h"

namespace divns {
namespace {

// The row's own settings, those of the trial, and as many epochs as the last rung has.
RunSpec spec_of(const StudyRow& row, const TuningRequest& request, const Settings& drawn) {
  RunSpec spec{row.model, row.sampler, request.seed, row.settings};
  spec.settings.insert(spec.settings.end(), drawn.begin(), drawn.end());
  spec.settings.push_back({"epochs", std::to_string(request.plan.rungs.back())});
  return spec;
}

uint32_t first_validation(const StudyRow& row, const TuningRequest& request) {
  const ResolvedSetup resolved(spec_of(row, request, {}).all_settings());
  const TrainConfig& config = resolved.setup.config();
  return config.eval_first ? 1 : static_cast<uint32_t>(config.eval_every) + 1;
}

bool is_plannable(const RunStore& store, const RunSpec& spec) {
  try {
    store.plan(spec);
    return true;
  } catch (const Error&) {
    return false;
  }
}

TuningResult::OfRow plan_row(const RunStore& store, const StudyRow& row,
                             const TuningRequest& request) {
  TuningResult::OfRow result{row, {}};
  const auto axes = request.paper_grid ? paper_space(row) : declared_space(row, request.fixed);
  const auto accepts = [&](const Settings& drawn) {
    return is_plannable(store, spec_of(row, request, drawn));
  };
  for (Settings& drawn : draw_trials(axes, request.plan.trials, request.seed, accepts)) {
    PlannedRun run = store.plan(spec_of(row, request, drawn));
    result.trials.push_back({std::move(drawn), std::move(run), {}});
  }
  return result;
}

std::string name_of(const StudyRow& row, size_t trial, size_t rung, size_t rungs) {
  return fmt::format("{} {} trial {}, rung {} of {}", row.model, row.label, trial, rung + 1, rungs);
}

std::optional<double> value_at(const Trial& trial, size_t rung) {
  return trial.rungs.size() > rung ? trial.rungs[rung].valid : std::nullopt;
}

// Progress over all rungs: a run of a later rung takes as long per epoch as one of this rung.
StudyProgress over_all_rungs(StudyProgress progress, const HalvingPlan& plan, size_t rung,
                             const TuningResult& result) {
  const auto epochs_of = [&](size_t r) {
    return static_cast<double>(plan.rungs[r] - (r == 0 ? 0 : plan.rungs[r - 1]));
  };
  for (size_t r = 0; r < plan.rungs.size(); ++r) {
    size_t runs = 0;
    for (const auto& row : result.rows) runs += std::min(plan.trials_at(r), row.trials.size());
    if (r != rung) progress.total += runs;
    if (r < rung) progress.done += runs;
    if (r > rung && progress.seconds_per_run >= 0)
      progress.seconds_left +=
          static_cast<double>(runs) * progress.seconds_per_run * epochs_of(r) / epochs_of(rung);
  }
  return progress;
}

// Trains the trials of all rows that take part in a rung. False if stopped.
bool climb(const RunStore& store, const TuningStudy& study, size_t rung,
           const std::vector<std::vector<size_t>>& alive, const RunnerOptions& runner,
           const StudyCallbacks& hooks, TuningResult& result) {
  const HalvingPlan& plan = study.request.plan;
  std::vector<NamedRun> runs;
  std::vector<Trial*> trials;
  for (size_t r = 0; r < result.rows.size(); ++r)
    for (const size_t t : alive[r]) {
      trials.push_back(&result.rows[r].trials[t]);
      runs.push_back({trials.back()->run, name_of(result.rows[r].row, t, rung, plan.rungs.size())});
    }
  const RunDemand demand{.pause_after = plan.rungs[rung],
                         .checkpoint_seconds = study.checkpoint_seconds};
  StudyCallbacks all_rungs = hooks;
  all_rungs.on_progress = [&](const StudyProgress& progress) {
    if (hooks.on_progress) hooks.on_progress(over_all_rungs(progress, plan, rung, result));
  };
  const RunnerResult done = execute_runs(store, runs, demand, runner, all_rungs);
  if (!done.complete) return false;
  for (size_t i = 0; i < trials.size(); ++i) {
    const RunRecord& record = done.records[i];
    trials[i]->rungs.push_back({record.epochs, record.valid, record.best_epoch});
  }
  return true;
}

void finish_row(TuningResult::OfRow& row, const std::vector<size_t>& last) {
  std::vector<std::optional<double>> values(row.trials.size());
  for (const size_t t : last) values[t] = row.trials[t].rungs.back().valid;
  row.best = promote(values, 1).front();
  for (const Trial& trial : row.trials) row.epochs_trained += trial.rungs.back().epochs;
}

}  // namespace

std::vector<Variant> TuningResult::winners() const {
  std::vector<Variant> winners;
  for (const OfRow& row : rows) {
    Variant variant{row.row.label, row.row.sampler, row.row.model, row.row.settings};
    const Settings& drawn = row.trials[row.best].settings;
    variant.settings.insert(variant.settings.end(), drawn.begin(), drawn.end());
    winners.push_back(std::move(variant));
  }
  return winners;
}

std::optional<TuningResult> run_tuning(const Dataset& data, const TuningStudy& study,
                                       const RunnerOptions& runner, const StudyCallbacks& hooks) {
  const TuningRequest& request = study.request;
  const HalvingPlan& plan = request.plan;
  if (data.valid().pairs() == 0)
    fail("{} has no validation part, and tuning looks at nothing else; prepare it with one.",
         data.folder().string());
  if (request.rows.empty()) fail("nothing is left to tune.");
  if (plan.rungs.empty()) fail("rungs is empty, but epochs are expected, for example 11,31,91.");
  for (const StudyRow& row : request.rows) {
    for (const Setting& setting : row.settings)
      if (setting.name == "epochs") fail("epochs follow from the rungs; leave epochs out.");
    if (!row.sampler.empty()) check_plan(plan, first_validation(row, request));
  }

  const RunStore store(study.runs.empty() ? study.out / "runs" : std::filesystem::path(study.runs),
                       data);
  TuningResult result;
  result.notes = study.notes;
  result.metric = ResolvedSetup(spec_of(request.rows.front(), request, {}).all_settings())
                      .setup.config()
                      .valid_metric;
  std::vector<std::vector<size_t>> alive;
  for (const StudyRow& row : request.rows) {
    result.rows.push_back(plan_row(store, row, request));
    const size_t trials = result.rows.back().trials.size();
    if (trials < plan.trials)
      result.notes.push_back(fmt::format("{} with {} has only {} different settings to try.",
                                         row.label, row.model, trials));
    alive.emplace_back(trials);
    for (size_t t = 0; t < trials; ++t) alive.back()[t] = t;
  }
  const StudyFolder folder(study.out, tuning_request_json(data, request, result));

  for (size_t rung = 0; rung < plan.rungs.size(); ++rung) {
    if (!climb(store, study, rung, alive, runner, hooks, result)) return std::nullopt;
    if (rung + 1 == plan.rungs.size()) break;
    for (size_t r = 0; r < result.rows.size(); ++r) {
      std::vector<std::optional<double>> values;
      for (const Trial& trial : result.rows[r].trials) values.push_back(value_at(trial, rung));
      alive[r] = promote(values, std::min(plan.trials_at(rung + 1), alive[r].size()));
    }
  }
  for (size_t r = 0; r < result.rows.size(); ++r) finish_row(result.rows[r], alive[r]);
  write_tuning(folder.path(), data, study, result);
  return result;
}

}  // namespace divns
