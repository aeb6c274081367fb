// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/json.h"
#include "base/machine.h"
#include "divns/registry.h"
#include "numerics/moments.h"
#include "study/reproduce_parts.h"

namespace divns {
namespace {

// Enough for the mean seconds per epoch, which do not change during training.
constexpr int kTimedEpochs = 10;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr const char* kDiversity = "diversity";
constexpr const char* kItemDiversity = "item_diversity";

// An empty list includes everything.
bool is_wanted(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || contains(wanted, name);
}

bool is_timing(const PaperTable& paper) {
  return contains(paper.metrics, "epoch_seconds");
}

// The test part is opened only if one of its numbers is needed.
bool needs_test(const PaperTable& paper) {
  return std::any_of(paper.metrics.begin(), paper.metrics.end(),
                     [](const std::string& m) { return m.find('@') != std::string::npos; });
}

double value_of(const RunRecord& record, const std::string& metric) {
  if (metric == "epoch_seconds")
    return (record.seconds.total() - record.seconds.evaluation) / std::max(record.epochs, 1U);
  if (metric.find('@') != std::string::npos) return record.test_metric(metric);
  for (const auto& [name, value] : record.negatives)
    if (name == metric) return value;
  // A sampler that generates vectors has no items.
  if (metric == kItemDiversity) return value_of(record, kDiversity);
  fail("a run has no figure '{}'; it was trained with diagnostics_users = 0.", metric);
}

// The mean over the runs of one row, and their standard deviation.
ReproducedFigure figure_of(const std::vector<double>& values) {
  const Moments over = moments(values);
  ReproducedFigure figure;
  figure.value = over.mean;
  if (values.size() > 1) figure.sd = over.sd;
  return figure;
}

Settings settings_of(const ReproduceRequest& request, const PaperTable& paper,
                     const std::string& dataset, const PaperRow& row) {
  Settings settings = paper_settings(dataset, row.model, row.sampler);
  if (!row.setting.empty()) settings.push_back(parse_setting(row.setting));
  if (request.quick) settings.push_back({"epochs", std::to_string(ReproduceRequest::kQuickEpochs)});
  if (is_timing(paper)) settings.push_back({"epochs", std::to_string(kTimedEpochs)});
  settings.insert(settings.end(), request.settings.begin(), request.settings.end());
  return settings;
}

std::string run_name(const std::string& dataset, const ReproducedRun& run) {
  return fmt::format("{} {} {}{}{} seed {}", dataset, run.row.model, run.row.sampler,
                     run.row.setting.empty() ? "" : " ", run.row.setting, run.seed);
}

}  // namespace

int seeds_of(const ReproduceRequest& request) {
  return request.quick ? 1 : request.seeds;
}

std::vector<ReproducedRun> plan_reproduction(const ReproduceRequest& request,
                                             const PaperTable& paper, const OpenDataset& dataset) {
  for (const std::string& sampler : request.samplers) find_sampler(sampler);
  std::vector<ReproducedRun> runs;
  for (const PaperRow& row : paper.rows) {
    if (!is_wanted(request.models, row.model) || !is_wanted(request.samplers, row.sampler))
      continue;
    for (uint64_t seed = 1; seed <= static_cast<uint64_t>(seeds_of(request)); ++seed) {
      const RunSpec spec{.model = row.model,
                         .sampler = row.sampler,
                         .seed = seed,
                         .settings = settings_of(request, paper, dataset.name, row)};
      runs.push_back({row, seed, plan_run(spec, dataset.data.hash())});
    }
  }
  if (runs.empty())
    fail("{} has no row with models {} and samplers {}.", paper.name,
         fmt::join(request.models, ", "), fmt::join(request.samplers, ", "));
  return runs;
}

void reproduce_runs(const ReproduceRequest& request, const std::vector<OpenDataset>& datasets,
                    Reproduction& result, Json& record) {
  PaperTable& paper = result.paper;
  // The paper does not say whether it means the drawn items or the vectors used in training.
  if (paper.name == "table-diversity") paper.metrics.emplace_back(kItemDiversity);
  RunnerOptions runner = request.runner;
  // Parallel runs on the same cores would distort the seconds.
  if (is_timing(paper)) runner.jobs = 1;
  const RunDemand demand{.final = needs_test(paper)};
  record["runs"] = Json::array();
  for (const OpenDataset& dataset : datasets) {
    const RunStore store(request.runs, dataset.data);
    const std::vector<ReproducedRun> planned = plan_reproduction(request, paper, dataset);
    std::vector<NamedRun> named;
    for (const ReproducedRun& each : planned)
      named.push_back({each.run, run_name(dataset.name, each)});
    const RunnerResult done = execute_runs(store, named, demand, runner, request.hooks);
    if (!done.complete) {
      result.complete = false;
      return;
    }
    for (size_t i = 0; i < planned.size(); ++i)
      record["runs"].push_back({{"name", named[i].name},
                                {"id", planned[i].run.id},
                                {"epochs", done.records[i].epochs},
                                {"config", planned[i].run.config}});
    const auto seeds = static_cast<size_t>(seeds_of(request));
    for (size_t first = 0; first < planned.size(); first += seeds)
      for (const std::string& metric : paper.metrics) {
        std::vector<double> values;
        for (size_t s = first; s < first + seeds; ++s)
          values.push_back(value_of(done.records[s], metric));
        ReproducedFigure figure = figure_of(values);
        const PaperRow& row = planned[first].row;
        figure.dataset = dataset.name;
        figure.model = row.model;
        figure.sampler = row.sampler;
        figure.setting = row.setting;
        figure.metric = metric;
        if (const PaperFigure* printed =
                paper.find(dataset.name, row.model, row.sampler, row.setting, metric)) {
          figure.paper = printed->value();
          figure.paper_note = printed->note;
        }
        result.figures.push_back(std::move(figure));
      }
  }
  if (is_timing(paper))
    result.notes.push_back(fmt::format(
        "Seconds of training an epoch, validation left out, mean of {} epochs, on {}; the paper's "
        "on an NVIDIA P100. A ratio below 1 is faster than the paper.",
        record["runs"][0]["epochs"].get<uint32_t>(), machine_description()));
  if (contains(paper.metrics, kDiversity))
    result.notes.push_back(
        "Diversity is 1 - mean cosine of a user's negatives of an epoch, mean over the epochs and "
        "over the users that a training watches (500 unless diagnostics_users says otherwise).");
  if (contains(paper.metrics, kItemDiversity))
    result.notes.push_back(
        "diversity: of the vectors that are trained on, mixtures where a sampler mixes. "
        "item_diversity: of the items that were drawn, before they are mixed; scone draws none, so "
        "its vectors stand for them.");
  make_tables(result);
  make_chart(result);
}

}  // namespace divns
