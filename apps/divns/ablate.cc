// SPDX-License-Identifier: Apache-2.0
#include "divns/comparison_verb.h"
#include "divns/verbs.h"
#include "study/ablation.h"
#include "study/study_folder.h"

namespace divns::app {
namespace {

struct AblateVerb : StudyVerb {
  std::string sampler = "divns";
  std::vector<std::string> axes = {"lambda", "m", "n", "module"};
  ComparisonOptions comparison;

  explicit AblateVerb(Command verb) {
    declare_first();
    options.add("sampler", sampler, "whose parts are varied");
    std::vector<std::string> names;
    for (const AblationAxis& axis : ablation_axes()) names.push_back(axis.name);
    options.add("axis", axes,
                fmt::format("what is varied, one at a time: {}; or any option with its values, as "
                            "in l2=1e-4/1e-2/1",
                            fmt::join(names, ", ")));
    declare_paper();
    comparison.declare(options, false);
    declare_last();
    verb.options(options)
        .example("divns ablate --data beauty.divns --axis lambda,m,module --seeds 3 --out ablation")
        .example(
            "divns ablate --data beauty.divns --sampler dns --axis dns.candidates=4/16/64 --out n")
        .action([this] { run(); });
  }

  void run() {
    const Dataset data = open_data();
    std::vector<AblationAxis> parsed;
    for (const std::string& axis : axes) parsed.push_back(parse_axis(axis));
    StudyRows rows;
    for (const std::string& model : models) {
      Settings base = paper_settings_of(model, sampler);
      for (Setting& setting : base_settings()) base.push_back(std::move(setting));
      add_ablation_rows(model, sampler, base, parsed, rows);
    }
    for (const std::string& note : rows.notes) say(common, "{}", note);
    ComparisonStudy study{.verb = "ablate",
                          .title = "One factor at a time",
                          .command = repeat_command("ablate", options),
                          .out = out,
                          .runs = runs,
                          .request = comparison.request(std::move(rows.rows), seed),
                          .notes = std::move(rows.notes),
                          .checkpoint_seconds = checkpoint_seconds};
    study.request.row_title = "setting";
    run_and_report(*this, data, study);
  }
};

}  // namespace

void add_ablate_verb(Command root) {
  install<AblateVerb>(
      root.add_verb("ablate", "vary the parts of DivNS one at a time, or any option"));
}

}  // namespace divns::app
