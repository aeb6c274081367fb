// SPDX-License-Identifier: Apache-2.0
#include "study/fitted_run.h"

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files.h"
#include "base/folder_lock.h"
#include "base/machine.h"
#include "base/stopwatch.h"
#include "divns/version.h"
#include "eval/evaluate.h"
#include "study/evaluation_files.h"

namespace divns {
namespace {

using nlohmann::ordered_json;

EvaluationRequest question(const Dataset& data, const Scorer& scorer, const Interactions& part) {
  EvaluationRequest request{scorer.users, scorer.items, data.train(), part};
  request.scores = scorer.source;
  return request;
}

void write_about(const Dataset& data, const TrainConfig& config, const FittedRunRequest& request,
                 const Executor& executor) {
  const ordered_json about = {
      {"divns_version", kVersion},    {"model", config.model},
      {"seed", config.seed},          {"data", std::filesystem::absolute(data.folder()).string()},
      {"dataset_hash", data.hash()},  {"machine", machine_description()},
      {"threads", executor.threads()}};
  write_file_atomically(request.folder / "config.toml", request.run.config);
  write_file_atomically(request.folder / "run.json", about.dump(2) + "\n");
}

}  // namespace

void fit_on(const Dataset& data, TrainingSetup& setup, const FittedRunRequest& request,
            const Executor& executor) {
  std::filesystem::create_directories(request.folder);
  const FolderLock lock(request.folder);
  write_about(data, setup.config(), request, executor);
  const auto validate = [&](const Scorer& scorer) {
    return evaluate(question(data, scorer, data.valid()), executor).mean(Metric::kRecall, 20);
  };
  FitContext context{.train = data.train(), .executor = executor, .seed = setup.config().seed};
  const bool has_validation = data.valid().pairs() > 0;
  if (has_validation) context.validate = validate;

  const auto model = setup.take_fitted_model();
  const Stopwatch watch;
  const FitReport report = model->fit(context);
  const double seconds = watch.seconds();
  const Scorer scorer = model->scorer();
  ordered_json metrics = {{"epochs", report.epochs}};
  if (has_validation) {
    metrics["valid_recall@20"] = report.validated ? report.best_metric : validate(scorer);
    metrics["best_epoch"] = report.best_epoch;
  }
  metrics["seconds"] = {{"total", seconds}, {"optimiser", seconds}};
  if (request.final) {
    const Dataset::TestPart test = data.open_test();
    EvaluationRequest asked = question(data, scorer, test.interactions());
    asked.cutoffs = request.cutoffs;
    asked.details = true;
    const Stopwatch test_watch;
    const Evaluation result = evaluate(asked, executor);
    write_evaluation(request.folder,
                     {request.run.id, data.hash(), "test", "train", test_watch.seconds()}, result);
  }
  // Comes last: where it is, the run is done.
  write_file_atomically(request.folder / "metrics.json", metrics.dump(2) + "\n");
}

}  // namespace divns
