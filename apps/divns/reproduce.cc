// SPDX-License-Identifier: Apache-2.0
#include "study/reproduce.h"

#include "base/check.h"
#include "base/files.h"
#include "divns/progress.h"
#include "divns/stop_signal.h"
#include "divns/study_verb.h"
#include "divns/verbs.h"
#include "study/study_folder.h"

namespace divns::app {
namespace {

struct ReproduceVerb : StudyVerb {
  std::string name;
  std::vector<std::string> data;
  std::vector<std::string> samplers;
  int seeds = 5;
  bool quick = false;

  explicit ReproduceVerb(Command verb) {
    options.add("data", data,
                "prepared datasets: NAME=FOLDER with the paper's names (amazon-beauty, ml-1m, "
                "pinterest, yelp-2022) or your own, or a folder that holds several");
    options.add("out", out, "folder of the results").alias("o");
    options.add("runs", runs,
                "folder of runs to share with other studies (default: runs in --out)");
    models.clear();
    options.add("model", models, "only these of the paper's recommenders").alias("models");
    options.add("samplers", samplers, "only these of the paper's samplers").alias("sampler");
    options.add("seeds", seeds, "seeds a row, from 1 on").range(1, 1000);
    options.add("quick", quick, "one seed and 20 epochs: how it works, not how it comes out");
    options.add("jobs", jobs, "runs at the same time; the threads are shared out").range(1, 1024);
    declare_last();
    verb.positional("name", name,
                    fmt::format("what to reproduce: {}", fmt::join(paper_table_names(), ", ")))
        .options(options)
        .example("divns reproduce table-datasets --data prepared --out figures")
        .example("divns reproduce table-utility --data ml-1m=ml.divns --model mf --out figures")
        .example("divns reproduce figure-lambda --data amazon-beauty=beauty.divns --quick -o try")
        .example("divns reproduce figure-toy --out figures")
        .action([this] { run(); });
  }

  void run() const {
    if (out.empty()) fail("no place for the results was given. Say --out FOLDER.");
    const std::filesystem::path folder = out;
    Reproduction done;
    {
      StudyProgressLine line(common.quiet);
      done = reproduce(
          {.name = name,
           .datasets = find_prepared(data),
           .runs = runs.empty() ? folder / "runs" : std::filesystem::path(runs),
           .seeds = seeds,
           .quick = quick,
           .models = models,
           .samplers = samplers,
           .settings = base_settings(),
           .command = repeat_command("reproduce " + name, options),
           .runner = runner(),
           .hooks = {[&](const StudyProgress& p) { line.on_progress(p); }, stop_on_signal()}});
    }
    if (!done.complete) return say_stopped();
    write_reproduction(folder, done);
    if (common.json) return print_result(read_text_file(folder / (name + ".json")));
    print_result(to_text(done));
    say(common, "{}.md, .tex, .csv, .vl.json and .json: {}", name, out);
  }
};

}  // namespace

void add_reproduce_verb(Command root) {
  install<ReproduceVerb>(
      root.add_verb("reproduce", "the paper's tables and figures, ours beside the printed ones"));
}

}  // namespace divns::app
