// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/check.h"
#include "base/json.h"
#include "base/parallel.h"
#include "divns/dataset.h"
#include "divns/progress.h"
#include "divns/stop_signal.h"
#include "divns/verbs.h"
#include "models/registry.h"
#include "study/dataset_training.h"
#include "train/setup.h"

namespace divns::app {
namespace {

Json result_json(const RunResult& result, const std::string& folder) {
  Json json = {{"run", folder},
               {"finished", result.finished},
               {"epochs", result.epochs},
               {"last_loss", result.last_loss}};
  if (result.validated) {
    json["valid_recall@20"] = result.best_metric;
    json["best_epoch"] = result.best_epoch;
  }
  json["seconds"] = {
      {"total", result.seconds.total()},           {"sampling", result.seconds.sampling},
      {"propagation", result.seconds.propagation}, {"gradient", result.seconds.gradient},
      {"optimiser", result.seconds.optimiser},     {"evaluation", result.seconds.evaluation}};
  return json;
}

std::string result_text(const RunResult& result, const std::string& folder) {
  if (!result.finished)
    return fmt::format(
        "stopped after {} whole epochs; --resume goes on from the last checkpoint: {}\n",
        result.epochs, folder);
  std::string text = fmt::format("{} epochs in {:.1f} s", result.epochs, result.seconds.total());
  if (result.validated)
    text += fmt::format(", best validation recall@20 {:.4f} at epoch {}", result.best_metric,
                        result.best_epoch);
  return text + fmt::format(": {}\n", folder);
}

struct TrainVerb {
  CommonOptions common;
  TrainingSetup setup;
  std::string data_folder;
  std::string out;
  bool resume = false;
  double checkpoint_seconds = 30;
  Options options;

  explicit TrainVerb(Command verb) {
    options.add("data", data_folder, "prepared dataset");
    options.add("out", out, "folder of the run").alias("o");
    options.add("resume", resume, "go on with the run in --out, if there is one");
    options.add("checkpoint_seconds", checkpoint_seconds, "seconds from one checkpoint to the next")
        .range(0);
    setup.declare(options);
    common.declare(options);
    verb.options(options)
        .example("divns train --data beauty.divns --model lightgcn --sampler rns --out run")
        .action([this] { run(); });
  }

  void run() {
    if (data_folder.empty())
      fail("no dataset was given. Say --data FOLDER, as `divns data prepare` wrote it.");
    if (out.empty()) fail("no place for the run was given. Say --out FOLDER.");
    setup.resolve(options);
    check_vectors();
    const Dataset data = Dataset::open(data_folder);
    const Executor executor(common.threads);
    const RunRequest request{out, resume, checkpoint_seconds, setup.config(),
                             TrainingSetup::config_text(options, setup.config())};
    if (data.valid().pairs() == 0)
      say(common, "the dataset has no validation part: training runs through all epochs");
    RunResult result;
    {
      TrainingProgress progress(setup.config().epochs, common.quiet);
      const RunHooks hooks{
          [&](const EpochReport& report) { progress.on_epoch(report); },
          [&](uint32_t epoch, double share) { progress.on_progress(epoch, share); },
          stop_on_signal()};
      result = train_on(data, setup, request, executor, hooks);
    }
    if (common.json)
      print_result(json_text(result_json(result, out)));
    else if (!common.quiet)
      print_result(result_text(result, out));
  }

  void check_vectors() const {
    const FittedModelEntry* fitted = find_fitted_model(setup.config().model);
    if (fitted != nullptr && !fitted->has_vectors)
      fail(
          "the model '{}' has no vectors, so there is no model file to train for. It takes part in "
          "`divns compare --yardsticks {}`.",
          fitted->name, fitted->name);
  }
};

}  // namespace

void add_train_verb(Command root) {
  install<TrainVerb>(root.add_verb("train", "train one model on a prepared dataset"));
}

}  // namespace divns::app
