// SPDX-License-Identifier: Apache-2.0
#include "eval/evaluate.h"

#include <filesystem>

#include "base/check.h"
#include "base/json.h"
#include "base/stopwatch.h"
#include "divns/opened_run.h"
#include "divns/verbs.h"
#include "report/text_table.h"
#include "study/evaluation_files.h"

namespace divns::app {
namespace {

namespace fs = std::filesystem;

std::string range_text(const CountRange& range) {
  if (range.members == 0) return "-";
  return range.low == range.high ? with_commas(range.low)
                                 : with_commas(range.low) + "-" + with_commas(range.high);
}

std::string result_text(const Evaluation& result) {
  std::vector<std::string> header = {""};
  for (const uint32_t k : result.cutoffs) header.push_back(fmt::format("@{}", k));
  TextTable metrics(header);
  for (const Metric metric : kMetrics) {
    std::vector<std::string> row = {std::string(metric_name(metric))};
    for (const uint32_t k : result.cutoffs)
      row.push_back(fmt::format("{:.6f}", result.mean(metric, k)));
    metrics.add(row);
  }
  const auto add_exposure = [&](const char* name, double Exposure::*member, const char* format) {
    std::vector<std::string> row = {name};
    for (const Exposure& exposure : result.exposure)
      row.push_back(fmt::format(fmt::runtime(format), exposure.*member));
    metrics.add(row);
  };
  add_exposure("coverage", &Exposure::coverage, "{:.6f}");
  add_exposure("gini", &Exposure::gini, "{:.6f}");
  add_exposure("popularity", &Exposure::popularity, "{:.2f}");
  add_exposure("novelty", &Exposure::novelty, "{:.3f}");

  // Of the groups, the two metrics that papers show, at one cut-off: 20 where it is there.
  size_t shown = result.cutoffs.size() - 1;
  for (size_t c = 0; c < result.cutoffs.size(); ++c)
    if (result.cutoffs[c] == 20) shown = c;
  const uint32_t k = result.cutoffs[shown];
  TextTable users(
      {"users by train pairs", "users", fmt::format("recall@{}", k), fmt::format("ndcg@{}", k)});
  for (const UserGroupResult& group : result.by_activity)
    users.add({range_text(group.activity), with_commas(group.activity.members),
               fmt::format("{:.6f}", group.means[shown * kMetrics.size()]),
               fmt::format("{:.6f}", group.means[shown * kMetrics.size() + 1])});
  TextTable items({"items by train pairs", "items", "relevant", fmt::format("found@{}", k),
                   fmt::format("share@{}", k)});
  for (const ItemGroupResult& group : result.by_popularity)
    items.add({range_text(group.popularity), with_commas(group.popularity.members),
               with_commas(group.relevant), fmt::format("{:.6f}", group.at[shown].recall),
               fmt::format("{:.6f}", group.at[shown].share)});
  return fmt::format("{}\n{}\n{}", metrics.text(), users.text(), items.text());
}

struct EvaluateVerb {
  CommonOptions common;
  std::string path;
  std::string data;
  std::string part = "test";
  std::string mask = "train";
  std::vector<int> topk = {10, 20, 50};
  std::string out;
  Options options;

  explicit EvaluateVerb(Command verb) {
    options.add("data", data, "the prepared dataset (default: the one the run was trained on)");
    options.add("part", part, "which part to evaluate on; test opens the sealed part")
        .choices({"valid", "test"});
    options.add("mask", mask, "which pairs may not be recommended")
        .choices({"train", "train+valid"});
    options.add("topk", topk, "cut-offs of the metrics").range(1, 1e6);
    options
        .add("out", out,
             "folder for metrics_PART.json and per_user_PART.safetensors (default: the run)")
        .alias("o");
    common.declare(options);
    verb.positional("run", path, "folder of a run, or a model file")
        .options(options)
        .example("divns evaluate run")
        .example("divns evaluate run --part valid --topk 20 --json")
        .action([this] { run(); });
  }

  void run() {
    if (part == "valid" && mask == "train+valid")
      fail("--mask train+valid leaves nothing to find in the valid part; use it with --part test.");
    const OpenedRun run = open_run(path);
    const Dataset dataset = open_dataset_of(run, data);
    EvaluationRequest request;
    request.users = run.model.user_vectors();
    request.items = run.model.item_vectors();
    request.train = dataset.train();
    request.cutoffs.assign(topk.begin(), topk.end());
    request.details = true;
    if (mask == "train+valid") request.also_masked = dataset.valid();

    std::optional<Dataset::TestPart> test;
    if (part == "test") test.emplace(dataset.open_test());
    request.relevant = test ? test->interactions() : dataset.valid();
    const Stopwatch watch;
    const Evaluation result = evaluate(request, Executor(common.threads));
    report(run, dataset, result, watch.seconds());
  }

  void report(const OpenedRun& run, const Dataset& dataset, const Evaluation& result,
              double seconds) const {
    if (result.evaluated_users() == 0)
      fail("No user of {} has an item in the {} part: there is nothing to evaluate.",
           dataset.folder().string(), part);
    const EvaluationAbout about{run.given.string(), dataset.hash(), part, mask, seconds};
    const fs::path folder = out.empty() ? run.folder : fs::path(out);
    if (!folder.empty()) {
      fs::create_directories(folder);
      write_evaluation(folder, about, result);
    }
    if (common.json) {
      print_result(json_text(evaluation_document(about, result)));
      return;
    }
    print_result(result_text(result));
    say(common, "{} users of the {} part, {} masked, {:.2f} s",
        with_commas(result.evaluated_users()), part, mask, seconds);
  }
};

}  // namespace

void add_evaluate_verb(Command root) {
  install<EvaluateVerb>(root.add_verb("evaluate", "full-ranking metrics of a trained model"));
}

}  // namespace divns::app
