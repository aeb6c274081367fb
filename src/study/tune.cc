// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "base/check.h"
#include "base/files.h"
#include "divns/train.h"
#include "report/table.h"
#include "study/study_setup.h"
#include "study/tuning.h"
#include "study/tuning_report.h"
#include "study/variants.h"

namespace divns {

TuneResult tune(const Dataset& data, const TuneOptions& options, const StudyCallbacks& callbacks) {
  check_study(options);
  const TrainingTable table;
  for (const std::string& name : options.fix)
    if (table.options().find(name) == nullptr)
      fail("fix names '{}', but there is no such option.", name);
  StudyRows rows = make_rows(options.models, parse_variants(options.samplers), options.baselines,
                             options.settings);
  TuningStudy study{.command = options.command,
                    .out = options.out,
                    .runs = options.runs,
                    .request = {std::move(rows.rows), halving_plan(options), options.seed,
                                options.grid == "paper", options.fix},
                    .notes = std::move(rows.notes),
                    .checkpoint_seconds = options.checkpoint_seconds};
  TuneResult result;
  result.notes = study.notes;
  const std::optional<TuningResult> tuned =
      run_tuning(data, study, runner_options(options), callbacks);
  if (!tuned) return result;
  result.finished = true;
  result.notes = tuned->notes;
  for (const TuningResult::OfRow& row : tuned->rows) {
    const Trial& best = row.trials[row.best];
    result.rows.push_back({.model = row.row.model,
                           .label = row.row.label,
                           .sampler = row.row.sampler,
                           .best = best.settings,
                           .valid = best.rungs.empty() ? std::nullopt : best.rungs.back().valid,
                           .trials = row.trials.size(),
                           .epochs_trained = row.epochs_trained});
  }
  result.table = to_text(winners_table(*tuned), static_cast<size_t>(options.text_columns));
  result.json = read_text_file(study.out / "study.json");
  result.winners = (study.out / "best.toml").string();
  return result;
}

}  // namespace divns
