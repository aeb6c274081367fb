// SPDX-License-Identifier: Apache-2.0
#include "divns/train.h"

#include <string>

#include "fail.h"
#include "json.h"
#include "progress.h"
#include "stop_signal.h"
#include "verbs.h"

namespace divns::app {
namespace {

Json result_json(const RunResult& result, const std::string& folder) {
  Json json = {{"run", folder},
               {"finished", result.finished},
               {"epochs", result.epochs},
               {"last_loss", result.last_loss}};
  if (result.validated) {
    json["valid_" + result.metric_name] = result.best_metric;
    json["best_epoch"] = result.best_epoch;
  }
  json["seconds"]["total"] = result.seconds.total();
  for (const Phase& phase : kPhases) json["seconds"][phase.name] = result.seconds.*phase.seconds;
  return json;
}

std::string result_text(const RunResult& result, const std::string& folder) {
  if (!result.finished)
    return fmt::format(
        "stopped after {} whole epochs; --resume continues from the last checkpoint: {}\n",
        result.epochs, folder);
  std::string text = fmt::format("{} epochs in {:.1f} s", result.epochs, result.seconds.total());
  if (result.validated)
    text += fmt::format(", best validation {} {:.4f} at epoch {}", result.metric_name,
                        result.best_metric, result.best_epoch);
  text += fmt::format(": {}\n", folder);
  return text + phase_text(result.seconds);
}

struct TrainVerb {
  CommonOptions common;
  TrainingTable training;
  TrainOptions train;
  std::string data_folder;
  std::string out;
  Options options;

  explicit TrainVerb(Command verb) {
    options.section("Data and output");
    options.add("data", data_folder, "prepared dataset");
    options.add("out", out, "folder of the run").alias("o");
    options.add("resume", train.resume, "continue the run in --out");
    options
        .add("checkpoint_seconds", train.checkpoint_seconds,
             "number of seconds between two checkpoints")
        .range(0)
        .advanced();
    options.include(training.options());
    common.declare(options);
    verb.options(options)
        .example("divns train --data beauty.divns --model lightgcn --sampler rns --out run")
        .action([this] { run(); });
  }

  void run() {
    if (data_folder.empty())
      fail("no dataset was given; name the folder that `divns data prepare` wrote with --data.");
    if (out.empty()) fail("no folder for the run was given; choose one with --out.");
    show_warnings(common);
    const Dataset data = Dataset::open(data_folder);
    train.folder = out;
    train.threads = common.threads;
    train.settings = training.given_in(options);
    const RunResult result = train_with_progress(data);
    if (!result.finished) mark_unfinished();
    if (common.json)
      print_result(json_text(result_json(result, out)));
    else if (!common.quiet)
      print_result(result_text(result, out));
  }

  RunResult train_with_progress(const Dataset& data) const {
    TrainingProgress progress(std::stoi(options.find("epochs")->value()), common.quiet);
    const TrainCallbacks callbacks{
        .on_epoch =
            [&](const EpochReport& report) {
              progress.on_epoch(report);
              return true;
            },
        .on_progress = [&](uint32_t epoch, double share) { progress.on_progress(epoch, share); },
        .on_checkpoint = {},
        .stop = stop_on_signal(),
        .cancel = abandon_on_signal()};
    return divns::train(data, train, callbacks).result();
  }
};

}  // namespace

void add_train_verb(Command root) {
  install<TrainVerb>(root.add_verb("train", "train one model on a prepared dataset"));
}

}  // namespace divns::app
