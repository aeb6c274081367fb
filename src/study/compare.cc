// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "base/files.h"
#include "report/table.h"
#include "study/ablation.h"
#include "study/comparison_report.h"
#include "study/comparison_study.h"
#include "study/study_setup.h"
#include "study/variants.h"

namespace divns {
namespace {

ComparedRow public_row(const RowResult& row, const std::vector<std::string>& columns) {
  ComparedRow result{.group = row.row.group,
                     .model = row.row.model,
                     .label = row.row.label,
                     .sampler = row.row.sampler,
                     .config = row.config,
                     .seeds = {},
                     .mean = row.mean,
                     .sd = row.sd};
  for (const RowResult::OfSeed& of_seed : row.seeds) {
    ComparedRow::OfSeed& out = result.seeds.emplace_back();
    out.seed = of_seed.seed;
    out.run = of_seed.run.id;
    out.epochs = of_seed.record.epochs;
    out.seconds = of_seed.record.seconds.total();
    for (const std::string& column : columns)
      out.values.push_back(of_seed.record.test_metric(column));
  }
  return result;
}

ComparisonRequest request_of(const ComparisonOptions& options, std::vector<StudyRow> rows) {
  ComparisonRequest request;
  request.rows = std::move(rows);
  for (int s = 0; s < options.seeds; ++s)
    request.seeds.push_back(options.seed + static_cast<uint64_t>(s));
  request.metrics = options.metrics;
  request.cutoffs.assign(options.topk.begin(), options.topk.end());
  request.bootstrap.resamples = static_cast<uint32_t>(options.resamples);
  request.bootstrap.seed = options.seed;
  return request;
}

ComparisonResult run_study(const Dataset& data, const ComparisonOptions& options,
                           ComparisonStudy study, const StudyCallbacks& callbacks) {
  study.command = options.command;
  study.out = options.out;
  study.runs = options.runs;
  study.checkpoint_seconds = options.checkpoint_seconds;
  ComparisonResult result;
  result.notes = study.notes;
  const std::optional<Comparison> comparison =
      run_comparison(data, study, runner_options(options), callbacks);
  if (!comparison) return result;
  result.finished = true;
  result.columns = comparison->columns;
  for (const RowResult& row : comparison->rows)
    result.rows.push_back(public_row(row, comparison->columns));
  for (const PairTest& test : comparison->tests)
    result.tests.push_back({.group = test.group,
                            .metric = test.metric,
                            .reference = test.reference,
                            .other = test.other,
                            .difference = test.users.mean,
                            .interval = test.interval,
                            .p_users = test.ranks_p_holm,
                            .p_seeds = test.seeds_p_holm});
  const ComparisonRequest& request = study.request;
  const auto width = static_cast<size_t>(options.text_columns);
  result.table =
      to_text(comparison_table(study.title, request, *comparison, request.metrics), width);
  if (!comparison->tests.empty())
    result.tests_table = to_text(tests_table(request, *comparison, request.metrics.back()), width);
  result.json = read_text_file(study.out / "study.json");
  return result;
}

}  // namespace

ComparisonResult compare(const Dataset& data, const CompareOptions& options,
                         const StudyCallbacks& callbacks) {
  check_study(options);
  StudyRows rows =
      make_rows(options.models, parse_variants(options.samplers), options.baselines, {});
  // The row's own settings come after those that all rows share, so that they take precedence.
  for (StudyRow& row : rows.rows) {
    Settings settings = base_settings(options, row.model, row.sampler);
    settings.insert(settings.end(), row.settings.begin(), row.settings.end());
    row.settings = std::move(settings);
  }
  choose_reference(rows.rows, options.reference);
  ComparisonStudy study{.verb = "compare",
                        .title = "Samplers compared",
                        .command = {},
                        .out = {},
                        .request = request_of(options, std::move(rows.rows)),
                        .notes = std::move(rows.notes)};
  return run_study(data, options, std::move(study), callbacks);
}

ComparisonResult ablate(const Dataset& data, const AblateOptions& options,
                        const StudyCallbacks& callbacks) {
  check_study(options);
  std::vector<AblationAxis> axes;
  for (const std::string& axis : options.axes) axes.push_back(parse_axis(axis));
  StudyRows rows;
  for (const std::string& model : options.models)
    add_ablation_rows(model, options.sampler, base_settings(options, model, options.sampler), axes,
                      rows);
  ComparisonStudy study{.verb = "ablate",
                        .title = "One factor at a time",
                        .command = {},
                        .out = {},
                        .request = request_of(options, std::move(rows.rows)),
                        .notes = std::move(rows.notes)};
  study.request.row_title = "setting";
  return run_study(data, options, std::move(study), callbacks);
}

}  // namespace divns
