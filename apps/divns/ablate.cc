// SPDX-License-Identifier: Apache-2.0
#include "study_verb.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct AblateVerb : StudyVerb<AblateOptions> {
  explicit AblateVerb(Command verb) : StudyVerb("ablate") {
    verb.options(options)
        .example("divns ablate --data beauty.divns --axis lambda,m,module --seeds 3 --out ablation")
        .example(
            "divns ablate --data beauty.divns --sampler dns --axis dns.candidates=4/16/64 --out n")
        .action([this] { run(); });
  }

  void run() {
    const Dataset data = open();
    report(with_progress([&](const StudyCallbacks& calls) { return ablate(data, study, calls); }));
  }
};

}  // namespace

void add_ablate_verb(Command root) {
  install<AblateVerb>(
      root.add_verb("ablate", "vary the parts of DivNS one at a time, or any option"));
}

}  // namespace divns::app
