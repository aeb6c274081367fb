// SPDX-License-Identifier: Apache-2.0
#include "study/comparison.h"

#include <algorithm>

#include "base/check.h"
#include "divns/did_you_mean.h"
#include "eval/metrics.h"
#include "models/registry.h"
#include "numerics/moments.h"

namespace divns {
namespace {

// Mean over seeds of each user's value, for the tested metrics: users x metrics.
std::vector<double> user_means(const RunStore& store, const RowResult& row,
                               const std::vector<std::string>& metrics) {
  std::vector<double> means;
  for (const RowResult::OfSeed& seed : row.seeds) {
    const PerUserMetrics values = store.per_user_test(seed.run);
    means.resize(values.users.size() * metrics.size(), 0);
    for (size_t m = 0; m < metrics.size(); ++m) {
      const auto at = std::find(values.columns.begin(), values.columns.end(), metrics[m]);
      DIVNS_ASSERT(at != values.columns.end());
      const auto column = values.column(static_cast<size_t>(at - values.columns.begin()));
      for (size_t u = 0; u < column.size(); ++u) means[u * metrics.size() + m] += column[u];
    }
  }
  for (double& mean : means) mean /= static_cast<double>(row.seeds.size());
  return means;
}

void test_group(const RunStore& store, const ComparisonRequest& request,
                const Comparison::Group& group, const Executor& executor, Comparison& result) {
  const auto is_reference = [](const RowResult& row) { return row.row.is_reference; };
  const auto begin = result.rows.begin() + static_cast<ptrdiff_t>(group.first);
  const auto end = result.rows.begin() + static_cast<ptrdiff_t>(group.last);
  const auto reference = std::find_if(begin, end, is_reference);
  if (reference == end) return;
  // The reference first.
  std::vector<const RowResult*> rows = {&*reference};
  for (auto row = begin; row != end; ++row)
    if (row != reference) rows.push_back(&*row);
  std::vector<std::string> labels;
  for (const RowResult* row : rows) labels.push_back(row->row.label);
  const PairedValues values = {
      [&](size_t r) { return user_means(store, *rows[r], request.metrics); },
      [&](size_t r, const std::string& metric) {
        std::vector<double> by_seed;
        for (const auto& seed : rows[r]->seeds) by_seed.push_back(seed.record.test_metric(metric));
        return by_seed;
      }};
  for (PairTest& test :
       test_pairs(group.name, labels, request.metrics, values, request.bootstrap, executor))
    result.tests.push_back(std::move(test));
}

double percent_above(double a, double b) {
  return b == 0 ? 0 : 100 * (a / b - 1);
}

void find_leads(const Comparison::Group& group, Comparison& result) {
  if (group.last - group.first < 2) return;
  for (const std::string& metric : result.columns) {
    const size_t c = result.column(metric);
    std::vector<const RowResult*> order;
    for (size_t r = group.first; r < group.last; ++r) order.push_back(&result.rows[r]);
    std::stable_sort(order.begin(), order.end(), [&](const RowResult* a, const RowResult* b) {
      return a->mean[c] > b->mean[c];
    });
    Lead lead;
    lead.group = group.name;
    lead.metric = metric;
    lead.best = order[0]->row.label;
    lead.second = order[1]->row.label;
    lead.best_over_second = percent_above(order[0]->mean[c], order[1]->mean[c]);
    const auto is_reference = [](const RowResult* row) { return row->row.is_reference; };
    const auto reference = std::find_if(order.begin(), order.end(), is_reference);
    if (reference != order.end()) {
      const RowResult* other = reference == order.begin() ? order[1] : order[0];
      lead.best_other = other->row.label;
      lead.reference_over_best_other = percent_above((*reference)->mean[c], other->mean[c]);
    }
    result.leads.push_back(std::move(lead));
  }
}

void average_seeds(RowResult& row, const std::vector<std::string>& columns) {
  for (const std::string& column : columns) {
    std::vector<double> values;
    for (const auto& seed : row.seeds) values.push_back(seed.record.test_metric(column));
    const Moments over = moments(values);
    row.mean.push_back(over.mean);
    row.sd.push_back(over.sd);
  }
}

}  // namespace

std::vector<Comparison::Group> Comparison::groups() const {
  std::vector<Group> groups;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (groups.empty() || groups.back().name != rows[r].row.group)
      groups.push_back({rows[r].row.group, r, r});
    groups.back().last = r + 1;
  }
  return groups;
}

size_t Comparison::column(const std::string& metric) const {
  const auto at = std::find(columns.begin(), columns.end(), metric);
  DIVNS_ASSERT(at != columns.end());
  return static_cast<size_t>(at - columns.begin());
}

void choose_reference(std::vector<StudyRow>& rows, std::string label) {
  if (rows.empty()) fail("there is nothing to compare; choose samplers with --samplers.");
  std::vector<std::string> labels;
  for (const StudyRow& row : rows) labels.push_back(row.label);
  const auto has = [&](const std::string& wanted) {
    return std::find(labels.begin(), labels.end(), wanted) != labels.end();
  };
  if (label.empty()) label = has("divns") ? "divns" : labels.front();
  if (!has(label))
    fail("the reference '{}' is not one of the compared rows.{}", label,
         did_you_mean(label, labels));
  for (StudyRow& row : rows) row.is_reference = row.label == label;
}

void check_comparison(ComparisonRequest& request) {
  if (request.rows.empty()) fail("there is nothing to compare; choose samplers with --samplers.");
  std::sort(request.cutoffs.begin(), request.cutoffs.end());
  request.cutoffs.erase(std::unique(request.cutoffs.begin(), request.cutoffs.end()),
                        request.cutoffs.end());
  if (request.seeds.empty()) fail("seeds is 0, but at least 1 is expected.");
  for (const std::string& metric : request.metrics) {
    const std::vector<std::string> known = ListMetrics(request.cutoffs).column_names();
    if (std::find(known.begin(), known.end(), metric) == known.end())
      fail("there is no metric '{}' at the cut-offs {}.{}", metric,
           fmt::join(request.cutoffs, ", "), did_you_mean(metric, known));
  }
  if (request.metrics.empty())
    fail("no metric is given; choose some with --metrics, as in --metrics recall@20,ndcg@20.");
}

std::vector<NamedRun> comparison_runs(const RunStore& store, const ComparisonRequest& request) {
  std::vector<NamedRun> runs;
  for (const uint64_t seed : request.seeds)
    for (const StudyRow& row : request.rows) {
      // A deterministic model is the same run for every seed.
      const FittedModelEntry* fitted = find_fitted_model(row.model);
      const bool matters = fitted == nullptr || fitted->uses_seed;
      const uint64_t own = matters ? seed : request.seeds.front();
      runs.push_back({store.plan({row.model, row.sampler, own, row.settings}),
                      row.sampler.empty()
                          ? fmt::format("{} seed {}", row.label, own)
                          : fmt::format("{} {} seed {}", row.model, row.label, own)});
    }
  return runs;
}

Comparison summarise_comparison(const RunStore& store, const ComparisonRequest& request,
                                const std::vector<NamedRun>& runs,
                                const std::vector<RunRecord>& records, const Executor& executor) {
  Comparison result;
  result.columns = ListMetrics(request.cutoffs).column_names();
  for (size_t r = 0; r < request.rows.size(); ++r) {
    RowResult& row = result.rows.emplace_back();
    row.row = request.rows[r];
    row.config = runs[r].run.config;
    for (size_t s = 0; s < request.seeds.size(); ++s) {
      const size_t at = s * request.rows.size() + r;
      row.seeds.push_back({request.seeds[s], runs[at].run, records[at]});
    }
    average_seeds(row, result.columns);
  }
  for (const Comparison::Group& group : result.groups()) {
    test_group(store, request, group, executor, result);
    find_leads(group, result);
  }
  return result;
}

}  // namespace divns
