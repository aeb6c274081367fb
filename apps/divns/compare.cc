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
        .action([this] { run(); });
  }

  void run() {
    const Dataset data = open();
    report(with_progress([&](const StudyCallbacks& calls) { return compare(data, study, calls); }));
  }
};

}  // namespace

void add_compare_verb(Command root) {
  install<CompareVerb>(
      root.add_verb("compare", "samplers x seeds on one dataset, with paired significance tests"));
}

}  // namespace divns::app
