// SPDX-License-Identifier: Apache-2.0
#include "divns/evaluate.h"

#include <filesystem>

#include "divns/saved_run.h"
#include "divns/stopwatch.h"
#include "divns/text_table.h"
#include "verbs.h"

namespace divns::app {
namespace {

namespace fs = std::filesystem;

struct EvaluateVerb {
  CommonOptions common;
  std::string path;
  std::string data;
  EvaluateOptions evaluation;
  std::string out;
  Options options;

  explicit EvaluateVerb(Command verb) {
    options.add("data", data, "prepared dataset (default: the one the run was trained on)");
    evaluation.declare(options);
    options
        .add("out", out,
             "folder for metrics_PART.json and per_user_PART.safetensors (default: the run)")
        .alias("o");
    common.declare(options);
    verb.positional("run", path, "folder of a run, or a model file")
        .options(options)
        .example("divns evaluate run")
        .example("divns evaluate run --part valid --topk 20 --json")
        .action([this] { run(); });
  }

  void run() {
    const SavedRun run = open_run(path);
    const Dataset dataset = run.open_dataset(data);
    evaluation.threads = common.threads;
    const Stopwatch watch;
    const Evaluation result = evaluate(run.model, dataset, evaluation);
    const EvaluationAbout about{run.given.string(), dataset.hash(), evaluation.part,
                                evaluation.mask, watch.seconds()};
    const fs::path folder = out.empty() ? run.folder : fs::path(out);
    if (evaluation.part == "test" && fs::exists(folder / "metrics_test.json"))
      say(common,
          "The test part of this run was evaluated before. Choose models and settings by the "
          "validation part (--part valid), or the test figures become too good.");
    if (!folder.empty()) {
      fs::create_directories(folder);
      write_evaluation(folder, about, result);
    }
    if (common.json) return print_result(evaluation_json(about, result));
    print_result(evaluation_text(result));
    say(common, "{} users of the {} part, {} masked, {:.2f} s",
        with_commas(result.evaluated_users()), about.part, about.mask, about.seconds);
  }
};

}  // namespace

void add_evaluate_verb(Command root) {
  install<EvaluateVerb>(root.add_verb("evaluate", "full-ranking metrics of a trained model"));
}

}  // namespace divns::app
