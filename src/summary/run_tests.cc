// SPDX-License-Identifier: Apache-2.0
#include "summary/run_tests.h"

#include <algorithm>

#include "base/files.h"
#include "eval/per_user_file.h"
#include "study/paired_tests.h"
#include "summary/verdict.h"

namespace divns {
namespace {

constexpr const char* kPerUser = "per_user_test.safetensors";

// What the runs of a group were measured on.
struct MeasuredOn {
  std::vector<uint32_t> users;
  std::string mask;
};

// The values of a row's runs, added up user by user. Empty if a run has none, or others.
std::vector<double> user_values(const SummaryRow& row, const std::vector<std::string>& metrics,
                                MeasuredOn& on) {
  std::vector<double> means;
  for (const SourceRun& run : row.runs) {
    if (!has_own_file(run.folder / kPerUser)) return {};
    const PerUserFile file = read_per_user_file(run.folder / kPerUser);
    const PerUserMetrics& values = file.metrics;
    if (on.users.empty()) on = {values.users, file.mask};
    if (file.dataset_hash != run.dataset_hash || file.part != "test" || file.mask != on.mask ||
        values.users != on.users)
      return {};
    means.resize(on.users.size() * metrics.size(), 0);
    for (size_t m = 0; m < metrics.size(); ++m) {
      const auto at = std::find(values.columns.begin(), values.columns.end(), metrics[m]);
      if (at == values.columns.end()) return {};
      const auto column = values.column(static_cast<size_t>(at - values.columns.begin()));
      for (size_t u = 0; u < column.size(); ++u)
        means[u * metrics.size() + m] += column[u] / static_cast<double>(row.runs.size());
    }
  }
  return means;
}

std::vector<uint64_t> seeds_of(const SummaryRow& row) {
  std::vector<uint64_t> seeds;
  for (const SourceRun& run : row.runs) seeds.push_back(run.seed);
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

// The row's results by ascending seed.
std::vector<double> seed_values(const Summary& summary, const SummaryRow& row,
                                const std::string& metric) {
  std::vector<std::pair<uint64_t, double>> pairs;
  for (const SourceRun& run : row.runs)
    pairs.emplace_back(run.seed, summary.value(run, metric).value_or(0));
  std::sort(pairs.begin(), pairs.end());
  std::vector<double> values;
  for (const auto& [seed, value] : pairs) values.push_back(value);
  return values;
}

SummaryTest summary_test(const PairTest& test) {
  SummaryTest result{.group = test.group,
                     .metric = test.metric,
                     .reference = test.reference,
                     .other = test.other,
                     .difference = test.users.mean,
                     .interval = test.interval,
                     .p_users = test.ranks_p_holm,
                     .p_seeds = {}};
  if (test.seeds.n > 1) result.p_seeds = test.seeds_p_holm;
  return result;
}

// False if the rows cannot be compared user by user.
bool test_rows_of_runs(std::pair<size_t, size_t> bounds, const Executor& executor,
                       Summary& summary) {
  const SummaryRow* best = best_row(summary, bounds, summary.main_metric());
  if (best == nullptr) return false;
  std::vector<SummaryRow*> rows = {&summary.rows[static_cast<size_t>(best - summary.rows.data())]};
  for (size_t r = bounds.first; r < bounds.second; ++r)
    if (&summary.rows[r] != best) rows.push_back(&summary.rows[r]);
  std::vector<std::string> labels;
  std::vector<std::vector<double>> of_users;
  MeasuredOn on;
  for (const SummaryRow* row : rows) {
    labels.push_back(row->label);
    of_users.push_back(user_values(*row, summary.metrics, on));
    if (of_users.back().empty()) return false;
  }
  const auto seeds = seeds_of(*best);
  const PairedValues values = {[&](size_t r) { return std::move(of_users[r]); },
                               [&](size_t r, const std::string& metric) {
                                 return seeds_of(*rows[r]) == seeds
                                            ? seed_values(summary, *rows[r], metric)
                                            : std::vector<double>();
                               }};
  for (const PairTest& test :
       test_pairs(best->group, labels, summary.metrics, values, {}, executor))
    summary.tests.push_back(summary_test(test));
  rows.front()->is_reference = true;
  return true;
}

}  // namespace

void test_runs(Summary& summary, const Executor& executor) {
  if (!summary.on_test) return;
  bool any = false;
  bool tested = true;
  for (const auto& bounds : summary.groups()) {
    if (bounds.second - bounds.first < 2) continue;
    any = true;
    tested = test_rows_of_runs(bounds, executor, summary) && tested;
  }
  if (any)
    summary.notes.emplace_back(
        tested
            ? "The tests compare the best row with the others. The same results chose it, so its "
              "lead looks a little larger than it is; `divns compare` names its reference before."
            : "Some differences were not tested, because not every run has per-user values of the "
              "same test users; `divns evaluate RUN` writes them.");
}

}  // namespace divns
