// SPDX-License-Identifier: Apache-2.0
#include "run/fitted_run.h"

#include <utility>

#include "divns/stopwatch.h"
#include "io/model_file.h"
#include "run/run_folder.h"

namespace divns {

RunResult run_fitting(const RunRequest& request, const RunData& data, FittedModel& model,
                      std::function<double(const Scorer&)> validate, const Executor& executor,
                      const TrainCallbacks& hooks) {
  const RunFolder folder(request, data, executor);
  const auto last_file = request.keep_model ? kModelFileName : std::string_view("metrics.json");
  if (folder.has(last_file)) return folder.finished_before();

  RunResult result;
  const auto timed_validate = [&](const Scorer& scorer) {
    const Stopwatch watch;
    const double metric = validate(scorer);
    result.seconds.evaluation += watch.seconds();
    return metric;
  };
  FitContext context{data.train, executor, request.config.seed};
  if (validate) context.validate = timed_validate;
  if (hooks.on_progress) context.on_progress = [&](double share) { hooks.on_progress(0, share); };
  const Stopwatch watch;
  FitReport report = model.fit(context);
  result.seconds.optimiser = watch.seconds() - result.seconds.evaluation;
  const Scorer scorer = model.scorer();
  if (validate && !report.validated) {
    report.validated = true;
    report.best_metric = timed_validate(scorer);
  }
  result.finished = true;
  result.epochs = report.epochs;
  result.validated = report.validated;
  result.metric_name = request.config.valid_metric;
  result.best_metric = report.best_metric;
  result.best_epoch = report.best_epoch;
  if (!request.keep_model) {
    folder.write_metrics(result);
  } else if (scorer.has_vectors()) {
    folder.write_results(result, {.user_vectors = scorer.users, .item_vectors = scorer.items});
  } else {
    const std::vector<float> weights = model.item_weights();
    folder.write_results(result, {.item_weights = weights, .histories = data.train});
  }
  return result;
}

}  // namespace divns
