// SPDX-License-Identifier: Apache-2.0
#include "divns/study.h"
#include "divns/train.h"
#include "fail.h"
#include "progress.h"
#include "report_page.h"
#include "stop_signal.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct ReproduceVerb {
  CommonOptions common;
  ReproduceOptions study;
  TrainingTable training;
  Options options;

  explicit ReproduceVerb(Command verb) {
    options.section("Data and output");
    study.declare(options);
    common.declare(options);
    constexpr std::array<std::string_view, 3> kOwn = {"model", "sampler", "seed"};
    options.include(training.options(), kOwn);
    verb.positional("name", study.name,
                    fmt::format("what to reproduce: {}", fmt::join(reproducible_names(), ", ")),
                    true, reproducible_names())
        .options(options)
        .example("divns reproduce table-datasets --data prepared --out figures")
        .example("divns reproduce table-utility --data ml-1m=ml.divns --model mf --out figures")
        .example("divns reproduce figure-lambda --data amazon-beauty=beauty.divns --quick -o try")
        .example("divns reproduce figure-toy --out figures")
        .action([this] { run(); });
  }

  void run() {
    for (Setting& setting : training.given_in(options))
      if (setting.name != "model" && setting.name != "sampler" && setting.name != "seed")
        study.settings.push_back(std::move(setting));
    study.threads = common.threads;
    study.text_columns = result_columns();
    study.command = repeat_command("reproduce " + study.name, options);
    const ReproduceResult result = reproduce_with_progress();
    if (!result.finished) {
      mark_unfinished();
      say(common, "stopped; the same command continues from here: {}", study.out);
      return;
    }
    print_result(common.json ? result.json : result.text);
    say(common, "{}.md, .tex, .csv, .vl.json and .json: {}", study.name, study.out);
    write_own_report(common, {study.out}, std::filesystem::path(study.out) / (study.name + ".html"),
                     study.runs);
  }

  ReproduceResult reproduce_with_progress() const {
    StudyProgressLine line(common.quiet);
    return reproduce(study, {[&](const StudyProgress& progress) { line.on_progress(progress); },
                             stop_on_signal(), abandon_on_signal()});
  }
};

}  // namespace

void add_reproduce_verb(Command root) {
  install<ReproduceVerb>(
      root.add_verb("reproduce", "the paper's tables and figures, ours beside the printed ones"));
}

}  // namespace divns::app
