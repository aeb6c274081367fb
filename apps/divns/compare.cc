// SPDX-License-Identifier: Apache-2.0
#include "divns/comparison_verb.h"
#include "divns/verbs.h"
#include "study/study_folder.h"
#include "study/variants.h"

namespace divns::app {
namespace {

struct CompareVerb : StudyVerb {
  std::string samplers = "all";
  std::vector<std::string> yardsticks;
  ComparisonOptions comparison;

  explicit CompareVerb(Command verb) {
    declare_first();
    options
        .add("samplers", samplers,
             "all, or names with settings of their own (divns:divns.lambda=0.5,l2=0.01), or a TOML "
             "file with a table for each model and label")
        .alias("sampler");
    options.add("yardsticks", yardsticks, "models that are fitted, not trained by sampling");
    declare_paper();
    comparison.declare(options);
    declare_last();
    verb.options(options)
        .example("divns compare --data beauty.divns --samplers all --seeds 5 --out study")
        .example(
            "divns compare --data ml.divns --model mf,lightgcn --samplers "
            "rns,dns,divns,divns:divns.lambda=0.5 --yardsticks popularity,ials --out study")
        .action([this] { run(); });
  }

  void run() {
    const Dataset data = open_data();
    StudyRows rows = make_rows(models, parse_variants(samplers), yardsticks, base_settings());
    start_from_paper(rows.rows);
    choose_reference(rows.rows, comparison.reference);
    for (const std::string& note : rows.notes) say(common, "{}", note);
    ComparisonStudy study{.verb = "compare",
                          .title = "Samplers compared",
                          .command = repeat_command("compare", options),
                          .out = out,
                          .runs = runs,
                          .request = comparison.request(std::move(rows.rows), seed),
                          .notes = std::move(rows.notes),
                          .checkpoint_seconds = checkpoint_seconds};
    run_and_report(*this, data, study);
  }
};

}  // namespace

void add_compare_verb(Command root) {
  install<CompareVerb>(
      root.add_verb("compare", "samplers x seeds on one dataset, with paired significance tests"));
}

}  // namespace divns::app
