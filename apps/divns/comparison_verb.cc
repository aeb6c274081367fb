// SPDX-License-Identifier: Apache-2.0
#include "divns/comparison_verb.h"

#include "base/files.h"
#include "divns/progress.h"
#include "divns/stop_signal.h"
#include "report/table.h"
#include "study/comparison_report.h"

namespace divns::app {

void ComparisonOptions::declare(Options& options, bool has_reference) {
  options.add("seeds", seeds, "seeds a row: --seed and those that follow it").range(1, 1000);
  if (has_reference)
    options.add("reference", reference,
                "label that is tested against each other one (default: divns, or else the first)");
  options.add("metrics", metrics, "metrics that are shown and tested; files hold them all");
  options.add("topk", topk, "cut-offs of the metrics").range(1, 1e6);
  options.add("resamples", resamples, "bootstrap resamples of the users").range(100, 1e6);
}

ComparisonRequest ComparisonOptions::request(std::vector<StudyRow> rows,
                                             uint64_t first_seed) const {
  ComparisonRequest request;
  request.rows = std::move(rows);
  for (int s = 0; s < seeds; ++s) request.seeds.push_back(first_seed + static_cast<uint64_t>(s));
  request.metrics = metrics;
  request.cutoffs.assign(topk.begin(), topk.end());
  request.bootstrap.resamples = static_cast<uint32_t>(resamples);
  request.bootstrap.seed = first_seed;
  return request;
}

void run_and_report(const StudyVerb& verb, const Dataset& data, ComparisonStudy& study) {
  std::optional<Comparison> comparison;
  {
    StudyProgressLine line(verb.common.quiet);
    const StudyHooks hooks{[&](const StudyProgress& progress) { line.on_progress(progress); },
                           stop_on_signal()};
    comparison = run_comparison(data, study, verb.runner(), hooks);
  }
  if (!comparison) return verb.say_stopped();
  if (verb.common.json) return print_result(read_text_file(study.out / "study.json"));
  print_result(
      to_text(comparison_table(study.title, study.request, *comparison, study.request.metrics)));
  // One metric is enough for a terminal; tests.md has them all.
  const std::string& metric = study.request.metrics.back();
  if (!comparison->tests.empty())
    print_result("\n" + to_text(tests_table(study.request, *comparison, metric)));
  say(verb.common, "tables, per-user values and commands: {}", study.out.string());
}

}  // namespace divns::app
