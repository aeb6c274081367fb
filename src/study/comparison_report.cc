// SPDX-License-Identifier: Apache-2.0
#include "study/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/escape.h"
#include "base/files.h"
#include "base/json.h"

namespace divns {
namespace {

// A figure of which CSV contains all digits.
Figure plain(double value, int digits = 4) {
  return {.value = value, .digits = digits};
}

Cell text(const std::string& value) {
  return value.empty() ? Cell() : Cell(value);
}

// Small p-values need scientific notation. Far in the tail, where they underflow, the
// approximations are no longer meaningful.
Cell probability(double p) {
  Figure figure{.value = p};
  if (p < 1e-16)
    figure.words = "<1e-16";
  else if (p < 1e-4)
    figure.words = fmt::format("{:.0e}", p);
  return figure;
}

const PairTest* find_test(const Comparison& comparison, const Lead& lead) {
  const auto at =
      std::find_if(comparison.tests.begin(), comparison.tests.end(), [&](const PairTest& test) {
        return test.group == lead.group && test.metric == lead.metric &&
               test.other == lead.best_other;
      });
  return at == comparison.tests.end() ? nullptr : &*at;
}

void add_lead_row(ReportTable& table, const Comparison& comparison, const std::string& group,
                  const std::vector<std::string>& metrics) {
  const auto reference = std::find_if(
      comparison.rows.begin(), comparison.rows.end(),
      [&](const RowResult& row) { return row.row.group == group && row.row.is_reference; });
  if (reference == comparison.rows.end()) return;
  std::vector<Cell> cells = {reference->row.model, reference->row.label + " vs best other"};
  for (const std::string& metric : metrics) {
    const auto lead =
        std::find_if(comparison.leads.begin(), comparison.leads.end(),
                     [&](const Lead& l) { return l.group == group && l.metric == metric; });
    if (lead == comparison.leads.end() || !lead->reference_over_best_other) return;
    Figure figure{.value = *lead->reference_over_best_other, .digits = 2, .unit = "%"};
    const PairTest* test = find_test(comparison, *lead);
    figure.star = test != nullptr && test->ranks_p_holm < kSignificant;
    cells.emplace_back(figure);
  }
  table.add(std::move(cells));
}

std::string commands_script(const RunStore& store, const ComparisonFiles& files,
                            const Comparison& comparison) {
  std::string script = fmt::format(
      "#!/bin/sh\n# Repeats the whole study in the folder given; results are equal, byte for "
      "byte.\n{} --out \"${{1:?folder of the new study}}\"\n\n# Or run by run:\n",
      files.command);
  for (const RowResult& row : comparison.rows)
    for (const RowResult::OfSeed& seed : row.seeds) {
      if (row.row.sampler.empty()) continue;
      script += fmt::format(
          "# divns train --data {} --config {} --out RUN && divns evaluate RUN   # {} "
          "{} seed {}\n",
          escape_shell_comment(escape_shell(files.data_folder)),
          escape_shell_comment(escape_shell((store.folder_of(seed.run) / "config.toml").string())),
          row.row.model, escape_shell_comment(row.row.label), seed.seed);
    }
  return script;
}

}  // namespace

ReportTable comparison_table(const std::string& title, const ComparisonRequest& request,
                             const Comparison& comparison,
                             const std::vector<std::string>& metrics) {
  std::vector<Column> columns = {{"model"}, {request.row_title}};
  for (const std::string& metric : metrics) columns.push_back({metric});
  ReportTable table(title, columns);
  size_t shown = 0;
  for (const Comparison::Group& group : comparison.groups()) {
    if (shown > 0) table.add_rule();
    const size_t first = shown;
    for (size_t r = group.first; r < group.last; ++r, ++shown) {
      const RowResult& row = comparison.rows[r];
      std::vector<Cell> cells = {text(row.row.model),
                                 row.row.sampler.empty() ? Cell() : text(row.row.label)};
      for (const std::string& metric : metrics) {
        const size_t c = comparison.column(metric);
        Figure figure = plain(row.mean[c]);
        if (row.seeds.size() > 1) figure.sd = row.sd[c];
        cells.emplace_back(figure);
      }
      table.add(std::move(cells));
    }
    for (size_t c = 0; c < metrics.size(); ++c) table.mark_best(c + 2, first, shown);
    const size_t before = table.rows().size();
    add_lead_row(table, comparison, group.name, metrics);
    shown += table.rows().size() - before;
  }
  table.add_note(fmt::format(
      "Test part, mean{} over {} seed{}; best and second best of each model are marked.",
      request.seeds.size() > 1 ? " ± standard deviation" : "", request.seeds.size(),
      request.seeds.size() == 1 ? "" : "s"));
  table.add_note(
      "A lead over the best other row is marked as significant where the two differ by the "
      "signed-rank test over users, Holm-corrected, p < 0.05.");
  return table;
}

ReportTable tests_table(const ComparisonRequest& request, const Comparison& comparison,
                        const std::string& only_metric) {
  ReportTable table("Paired tests", {{"group"},
                                     {"metric"},
                                     {"reference"},
                                     {"other"},
                                     {"difference", "over users"},
                                     {"low", "over users"},
                                     {"high", "over users"},
                                     {"t p", "over users"},
                                     {"signed-rank p", "over users"},
                                     {"d_z", "over users"},
                                     {"rank-biserial", "over users"},
                                     {"t p", "over seeds"}});
  const PairTest* before = nullptr;
  for (const PairTest& test : comparison.tests) {
    if (!only_metric.empty() && test.metric != only_metric) continue;
    if (before != nullptr && (before->metric != test.metric || before->group != test.group))
      table.add_rule();
    before = &test;
    table.add({test.group, test.metric, test.reference, test.other, plain(test.users.mean, 5),
               plain(test.interval.low, 5), plain(test.interval.high, 5),
               probability(test.users_p_holm), probability(test.ranks_p_holm),
               plain(test.users.dz, 3), plain(test.ranks.rank_biserial, 3),
               test.seeds.n < 2 ? Cell() : probability(test.seeds_p_holm)});
  }
  table.add_note(fmt::format(
      "Differences are reference minus other. p-values are Holm-corrected over the others, for "
      "each "
      "group and metric. low and high: {:.0f} % percentile bootstrap of the mean difference.",
      100 * request.bootstrap.confidence));
  return table;
}

// "valid_recall@20"; "valid" if the runs were validated by different metrics.
static std::string valid_name(const Comparison& comparison) {
  const std::string& first = comparison.rows.front().seeds.front().record.valid_name;
  for (const RowResult& row : comparison.rows)
    for (const RowResult::OfSeed& seed : row.seeds)
      if (seed.record.valid_name != first) return "valid";
  return "valid_" + first;
}

ReportTable runs_table(const Comparison& comparison) {
  std::vector<Column> columns = {{"model"}, {"label"},  {"sampler"},    {"seed"},
                                 {"run"},   {"epochs"}, {"best_epoch"}, {valid_name(comparison)}};
  for (const std::string& metric : comparison.columns) columns.push_back({metric});
  std::vector<std::string> figures;
  for (const RowResult& row : comparison.rows)
    for (const auto& [name, value] : row.seeds.front().record.negatives)
      if (std::find(figures.begin(), figures.end(), name) == figures.end()) figures.push_back(name);
  for (const std::string& figure : figures) columns.push_back({"negatives_" + figure});
  ReportTable table("Runs", columns);
  for (const RowResult& row : comparison.rows)
    for (const RowResult::OfSeed& seed : row.seeds) {
      const RunRecord& record = seed.record;
      std::vector<Cell> cells = {row.row.model,
                                 row.row.label,
                                 text(row.row.sampler),
                                 std::to_string(seed.seed),
                                 seed.run.id,
                                 plain(record.epochs, 0),
                                 plain(record.best_epoch, 0),
                                 record.valid ? Cell(plain(*record.valid)) : Cell()};
      for (const std::string& metric : comparison.columns)
        cells.emplace_back(plain(record.test_metric(metric)));
      for (const std::string& figure : figures) {
        const auto at = std::find_if(record.negatives.begin(), record.negatives.end(),
                                     [&](const auto& entry) { return entry.first == figure; });
        cells.push_back(at == record.negatives.end() ? Cell() : Cell(plain(at->second)));
      }
      table.add(std::move(cells));
    }
  return table;
}

ReportTable timings_table(const Comparison& comparison) {
  ReportTable table("Seconds of training", {{"model"},
                                            {"label"},
                                            {"seed"},
                                            {"run"},
                                            {"epochs"},
                                            {"seconds"},
                                            {"seconds_per_epoch"},
                                            {"sampling"},
                                            {"propagation"},
                                            {"gradient"},
                                            {"optimiser"},
                                            {"evaluation"}});
  for (const RowResult& row : comparison.rows)
    for (const RowResult::OfSeed& seed : row.seeds) {
      const PhaseSeconds& s = seed.record.seconds;
      const uint32_t epochs = std::max(seed.record.epochs, 1U);
      table.add({row.row.model, row.row.label, std::to_string(seed.seed), seed.run.id,
                 plain(seed.record.epochs, 0), plain(s.total()), plain(s.total() / epochs),
                 plain(s.sampling), plain(s.propagation), plain(s.gradient), plain(s.optimiser),
                 plain(s.evaluation)});
    }
  return table;
}

void write_comparison(const std::filesystem::path& folder, const RunStore& store,
                      const ComparisonFiles& files, const ComparisonRequest& request,
                      const Comparison& comparison) {
  const auto with_notes = [&](ReportTable table) {
    for (const std::string& note : files.notes) table.add_note(note);
    return table;
  };
  write_table(folder, "table",
              with_notes(comparison_table(files.title, request, comparison, request.metrics)));
  write_table(folder, "table_all",
              with_notes(comparison_table(files.title, request, comparison, comparison.columns)));
  write_table(folder, "tests", tests_table(request, comparison));
  write_file_atomically(folder / "runs.csv", to_csv(runs_table(comparison)));
  write_file_atomically(folder / "timings.csv", to_csv(timings_table(comparison)));
  write_file_atomically(folder / "commands.sh", commands_script(store, files, comparison));
  Json json = files.header;
  json["notes"] = files.notes;
  json.update(comparison_json(request, comparison));
  // Written last: if it exists, the study is finished.
  write_file_atomically(folder / "study.json", json_text(json) + "\n");
}

}  // namespace divns
