// SPDX-License-Identifier: Apache-2.0
#include "study_verb.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct CompareVerb : StudyVerb<CompareOptions> {
  explicit CompareVerb(Command verb) : StudyVerb("compare") {
    verb.options(options)
        .example("divns compare --data beauty.divns --samplers all --seeds 5 --out study")
        .example(
            "divns compare --data ml.divns --model mf,lightgcn --samplers "
            "rns,dns,divns,divns:divns.lambda=0.5 --baselines popularity,ials --out study")
        .example("divns compare --data random.divns,time.divns --samplers rns,dns --out splits")
        .action([this] { run(); });
  }

  void run() {
    if (data_folders.size() > 1) return run_several();
    const Dataset data = open();
    report(with_progress([&](const StudyCallbacks& calls) { return compare(data, study, calls); }));
  }

  void run_several() {
    complete();
    std::vector<Dataset> data;
    for (const std::string& folder : data_folders) data.push_back(Dataset::open(folder));
    const DatasetsResult result = with_progress(
        [&](const StudyCallbacks& calls) { return compare_datasets(data, study, calls); });
    for (const std::string& note : result.studies.front().notes) say(common, "{}", note);
    if (!result.finished) return say_stopped();
    print_result(common.json ? result.json : result.table);
    if (!common.json) say(common, "a study of each dataset, with tests: {}", study.out);
    write_page();
  }
};

}  // namespace

void add_compare_verb(Command root) {
  install<CompareVerb>(
      root.add_verb("compare", "samplers x seeds on one dataset, with paired significance tests"));
}

}  // namespace divns::app
