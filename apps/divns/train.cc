// SPDX-License-Identifier: Apache-2.0
#include "divns/train.h"

#include <optional>
#include <string>

#include "divns/model.h"
#include "divns/plan.h"
#include "divns/ranks.h"
#include "fail.h"
#include "json.h"
#include "live_page.h"
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

Json plan_json(const TrainingPlan& plan) {
  return {{"users", plan.users},
          {"items", plan.items},
          {"pairs", plan.pairs},
          {"user_blocks", plan.user_blocks},
          {"item_blocks", plan.item_blocks},
          {"ranks", plan.ranks},
          {"memory_limit", plan.memory_limit},
          {"memory", plan.memory},
          {"memory_on_disk", plan.memory_on_disk},
          {"on_disk", plan.on_disk},
          {"fits", plan.fits},
          {"scratch", plan.scratch},
          {"disk_per_epoch", plan.disk_per_epoch},
          {"wire_per_epoch", plan.wire_per_epoch},
          {"pairs_per_second", plan.pairs_per_second},
          {"seconds_per_epoch", plan.seconds_per_epoch}};
}

std::string result_text(const RunResult& result, const std::string& folder) {
  if (!result.finished)
    return fmt::format(
        "stopped after {} whole epochs; --resume continues from the last checkpoint: {}\n",
        result.epochs, folder);
  const double seconds = result.seconds.total();
  // A run that was finished before trains nothing.
  const bool before = result.resumed && seconds == 0;
  std::string text = before ? fmt::format("finished before, after {} epochs", result.epochs)
                            : fmt::format("{} epochs in {:.1f} s", result.epochs, seconds);
  if (result.validated)
    text += fmt::format(", best validation {} {:.4f} at epoch {}", result.metric_name,
                        result.best_metric, result.best_epoch);
  text += fmt::format(": {}\n", folder);
  return seconds > 0 ? text + phase_text(result.seconds) : text;
}

struct TrainVerb {
  CommonOptions common;
  TrainingTable training;
  TrainOptions train;
  LiveOption live;
  std::string data_folder;
  std::string out;
  std::string from;
  std::string memory_limit;
  std::string scratch;
  bool only_plan = false;
  int plan_ranks = 1;
  Options options;

  explicit TrainVerb(Command verb) {
    options.section("Data and output");
    options.add("data", data_folder, "prepared dataset");
    options.add("out", out, "folder of the run").alias("o");
    options.add("resume", train.resume, "continue the run in --out");
    options.add("from", from, "earlier run or model file whose parameters to begin with");
    options
        .add("checkpoint_seconds", train.checkpoint_seconds,
             "number of seconds between two checkpoints")
        .range(0)
        .advanced();
    options
        .add(
            "keep_checkpoint", train.keep_checkpoint,
            "keep the checkpoint when the run is finished, so that --resume with a larger --epochs "
            "can continue it")
        .advanced();
    options
        .add("ranks", train.ranks,
             "share the work among the processes that mpirun has started (program divns-mpi)")
        .advanced();
    options
        .add("memory_limit", memory_limit,
             "memory to use, for example 4G: beyond it, blocks wait on disk")
        .advanced();
    options
        .add("scratch", scratch,
             "folder for blocks on disk; the folder for temporary files if unset")
        .advanced();
    options.add("plan_ranks", plan_ranks, "number of ranks that --plan computes with")
        .range(1, 4096)
        .advanced();
    options
        .add("plan", only_plan,
             "print blocks, memory, disk, network traffic and time per epoch, and train nothing")
        .advanced();
    live.declare(options);
    options.include(training.options());
    common.declare(options);
    verb.options(options)
        .example("divns train --data beauty.divns --model lightgcn --sampler rns --out run")
        .example(
            "divns train --data today.divns --config run/config.toml --from run --epochs 5 --out "
            "run2")
        .action([this] { run(); });
  }

  void run() {
    if (data_folder.empty())
      fail("no dataset was given; name the folder that `divns data prepare` wrote with --data.");
    if (out.empty() && !only_plan) fail("no folder for the run was given; choose one with --out.");
    show_warnings(common);
    const Dataset data = Dataset::open(data_folder);
    train.folder = out;
    train.threads = common.threads;
    train.settings = training.given_in(options);
    train.scratch = scratch;
    std::optional<TrainedModel> initial;
    if (!from.empty()) train.initial_model = &initial.emplace(TrainedModel::load(from));
    if (!memory_limit.empty()) train.memory_limit = parse_bytes(memory_limit);
    if (only_plan) return print_plan(data);
    if (job_rank() != 0) common.quiet = true;
    const RunResult result = train_with_progress(data);
    if (job_rank() != 0) return;  // rank 0 has the result
    if (!result.finished) mark_unfinished();
    if (common.json)
      print_result(json_text(result_json(result, out)));
    else if (!common.quiet)
      print_result(result_text(result, out));
  }

  void print_plan(const Dataset& data) const {
    const TrainingPlan plan = plan_training(data, train, std::max(plan_ranks, 1));
    if (common.json)
      print_result(json_text(plan_json(plan)));
    else
      print_result(plan_text(plan));
  }

  RunResult train_with_progress(const Dataset& data) const {
    const std::unique_ptr<LiveReport> page = job_rank() == 0 ? live.start(common, out) : nullptr;
    TrainingProgress progress(std::stoi(options.find("epochs")->value()), common.quiet);
    const TrainCallbacks callbacks{
        .on_epoch =
            [&](const EpochReport& report) {
              progress.on_epoch(report);
              if (page) page->update();
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
