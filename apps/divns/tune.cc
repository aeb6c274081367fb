// SPDX-License-Identifier: Apache-2.0
#include "study_verb.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct TuneVerb : StudyVerb<TuneOptions> {
  explicit TuneVerb(Command verb) : StudyVerb("tune") {
    verb.options(options)
        .example("divns tune --data beauty.divns --samplers rns,dns,divns --out tuning")
        .example(
            "divns compare --data beauty.divns --samplers tuning/best.toml --seeds 5 --out study")
        .action([this] { run(); });
  }

  void run() {
    const Dataset data = open();
    say(common, "each sampler may train {} epochs of {} pairs", study.budget_epochs(),
        data.train().pairs());
    const TuneResult result =
        with_progress([&](const StudyCallbacks& calls) { return tune(data, study, calls); });
    if (!result.finished) return say_stopped();
    print_result(common.json ? result.json : result.table);
    if (!common.json)
      say(common, "the winners, for `divns compare --samplers`: {}", result.winners);
    write_page();
  }
};

}  // namespace

void add_tune_verb(Command root) {
  install<TuneVerb>(root.add_verb(
      "tune", "successive halving on the validation part, the same budget for each sampler"));
}

}  // namespace divns::app
