// SPDX-License-Identifier: Apache-2.0
#include "study/comparison_study.h"

#include "base/json.h"
#include "study/comparison_report.h"
#include "study/study_folder.h"

namespace divns {

std::optional<Comparison> run_comparison(const Dataset& data, ComparisonStudy& study,
                                         const RunnerOptions& runner, const StudyCallbacks& hooks) {
  check_comparison(study.request);
  const std::filesystem::path runs_folder =
      study.runs.empty() ? study.out / "runs" : std::filesystem::path(study.runs);
  const RunStore store(runs_folder, data);
  const std::vector<NamedRun> runs = comparison_runs(store, study.request);
  Json asked = {{"verb", study.verb}, {"dataset_hash", data.hash()}};
  asked.update(request_json(study.request, runs));
  const StudyFolder folder(study.out, asked);

  const RunDemand demand{.final = true,
                         .cutoffs = study.request.cutoffs,
                         .checkpoint_seconds = study.checkpoint_seconds};
  const RunnerResult done = execute_runs(store, runs, demand, runner, hooks);
  if (!done.complete) return std::nullopt;
  Comparison comparison =
      summarise_comparison(store, study.request, runs, done.records, Executor(runner.threads));
  const Json header = study_header(study.verb, study.command, data);
  write_comparison(folder.path(), store,
                   {study.title, header, study.command, data.folder().string(), study.notes},
                   study.request, comparison);
  return comparison;
}

}  // namespace divns
