// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/check.h"
#include "base/parallel.h"
#include "data/synth_truth.h"
#include "divns/dataset.h"
#include "divns/log.h"
#include "divns/progress.h"
#include "divns/verbs.h"
#include "eval/evaluate.h"
#include "train/run.h"
#include "train/setup.h"

namespace divns::app {
namespace {

// The first Ctrl-C asks for a clean end, the second has its usual force.
std::atomic<bool> stop_asked = false;

void ask_to_stop(int signal) {
  stop_asked = true;
  std::signal(signal, SIG_DFL);
}

nlohmann::ordered_json result_json(const RunResult& result, const std::string& folder) {
  nlohmann::ordered_json json = {{"run", folder},
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
    return fmt::format("stopped after {} epochs; --resume goes on from there: {}\n", result.epochs,
                       folder);
  std::string text = fmt::format("{} epochs in {:.1f} s", result.epochs, result.seconds.total());
  if (result.validated)
    text += fmt::format(", best validation recall@20 {:.4f} at epoch {}", result.best_metric,
                        result.best_epoch);
  return text + fmt::format(": {}\n", folder);
}

// Validation items, and the truth where the data are synthetic.
KnownLikes known_likes(const Dataset& data, std::optional<SynthTruth>& truth) {
  KnownLikes known;
  if (data.valid().pairs() > 0) known.valid = data.valid();
  const auto file = data.folder() / kTruthFileName;
  if (std::filesystem::exists(file)) {
    truth = read_synth_truth(file);
    if (truth->users() != data.users() || truth->items() != data.items())
      fail("{} is of {} users and {} items, but the dataset has {} and {}.", file.string(),
           truth->users(), truth->items(), data.users(), data.items());
    known.likes = [&truth](uint32_t user, uint32_t item) { return truth->likes(user, item); };
  }
  return known;
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
    const Dataset data = Dataset::open(data_folder);
    const Executor executor(common.threads);
    const RunRequest request{out, resume, checkpoint_seconds, setup.config(),
                             TrainingSetup::config_text(options, setup.config())};
    std::optional<SynthTruth> truth;
    const RunData run_data{data.train(),
                           data.hash(),
                           data.folder(),
                           [&](uint32_t user) { return data.user_id(user); },
                           [&](uint32_t item) { return data.item_id(item); },
                           [&](uint32_t item) { return data.item_name(item); },
                           known_likes(data, truth)};
    Validate validate;
    if (data.valid().pairs() > 0)
      validate = [&](const VectorTable& users, const VectorTable& items) {
        EvaluationRequest question{users, items, data.train(), data.valid()};
        return evaluate(question, executor).mean(Metric::kRecall, 20);
      };
    else
      say(common, "the dataset has no validation part: training runs through all {} epochs",
          setup.config().epochs);
    std::signal(SIGINT, ask_to_stop);
    std::signal(SIGTERM, ask_to_stop);
    RunResult result;
    {
      TrainingProgress progress(setup.config().epochs, common.quiet);
      const RunHooks hooks{
          [&](const EpochReport& report) { progress.on_epoch(report); },
          [&](uint32_t epoch, double share) { progress.on_progress(epoch, share); }, &stop_asked};
      result = run_training(request, run_data, setup.take_model(), setup.take_sampler(),
                            std::move(validate), executor, hooks);
    }
    if (common.json)
      print_result(result_json(result, out).dump(2));
    else if (!common.quiet)
      print_result(result_text(result, out));
  }
};

}  // namespace

void add_train_verb(Command root) {
  install<TrainVerb>(root.add_verb("train", "train one model on a prepared dataset"));
}

}  // namespace divns::app
