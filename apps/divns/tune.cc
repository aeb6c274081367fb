// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"
#include "base/files.h"
#include "divns/progress.h"
#include "divns/stop_signal.h"
#include "divns/study_verb.h"
#include "divns/verbs.h"
#include "study/study_folder.h"
#include "study/tuning.h"
#include "study/tuning_report.h"

namespace divns::app {
namespace {

struct TuneVerb : StudyVerb {
  std::string samplers = "all";
  std::vector<std::string> yardsticks;
  int trials = 27;
  std::vector<int> rungs = {11, 31, 91};
  double keep = 1.0 / 3;
  std::string grid = "declared";
  std::vector<std::string> fix = {"embedding_dim", "lightgcn.layers"};

  explicit TuneVerb(Command verb) {
    declare_first();
    options.add("samplers", samplers, "all, or some names; each gets the same budget")
        .alias("sampler");
    options.add("yardsticks", yardsticks, "models that are fitted, not trained by sampling");
    options.add("trials", trials, "settings that are tried for each sampler").range(1, 100000);
    options
        .add("rungs", rungs,
             "epochs after which the best go on; validations come after 6, 11, 16, ... epochs")
        .range(1);
    options.add("keep", keep, "share of the trials that goes on from rung to rung").range(0.01, 1);
    options.add("grid", grid, "the ranges that options declare, or the paper's grid")
        .choices({"declared", "paper"});
    options.add("fix", fix, "options that keep their value although they declare a range");
    declare_last();
    verb.options(options)
        .example("divns tune --data beauty.divns --samplers rns,dns,divns --out tuning")
        .example(
            "divns compare --data beauty.divns --samplers tuning/best.toml --seeds 5 --out study")
        .action([this] { run(); });
  }

  void run() {
    const Dataset data = open_data();
    StudyRows rows = make_rows(models, parse_variants(samplers), yardsticks, base_settings());
    for (const std::string& name : fix)
      if (options.find(name) == nullptr) fail("fix names '{}', but there is no such option.", name);
    TuningStudy study{.command = repeat_command("tune", options),
                      .out = out,
                      .runs = runs,
                      .request = {std::move(rows.rows),
                                  {static_cast<size_t>(trials), {rungs.begin(), rungs.end()}, keep},
                                  seed,
                                  grid == "paper",
                                  fix},
                      .notes = std::move(rows.notes),
                      .checkpoint_seconds = checkpoint_seconds};
    say(common, "each sampler may train {} epochs of {} pairs", study.request.plan.epochs(),
        data.train().pairs());
    std::optional<TuningResult> result;
    {
      StudyProgressLine line(common.quiet);
      const StudyHooks hooks{[&](const StudyProgress& progress) { line.on_progress(progress); },
                             stop_on_signal()};
      result = run_tuning(data, study, runner(), hooks);
    }
    if (!result) return say_stopped();
    if (common.json) return print_result(read_text_file(study.out / "study.json"));
    print_result(to_text(winners_table(*result)));
    say(common, "the winners, for `divns compare --samplers`: {}",
        (study.out / "best.toml").string());
  }
};

}  // namespace

void add_tune_verb(Command root) {
  install<TuneVerb>(root.add_verb(
      "tune", "successive halving on the validation part, the same budget for each sampler"));
}

}  // namespace divns::app
