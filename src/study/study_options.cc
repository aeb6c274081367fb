// SPDX-License-Identifier: Apache-2.0
// The options of the studies, declared once for the tool, configuration files and other languages.
#include <fmt/ranges.h>

#include "base/check.h"
#include "divns/did_you_mean.h"
#include "divns/study.h"
#include "study/ablation.h"
#include "study/halving.h"
#include "study/paper.h"
#include "study/study_setup.h"

namespace divns {
namespace {

std::vector<std::string> paper_names() {
  std::vector<std::string> names;
  for (const PaperDataset& dataset : paper_datasets()) names.emplace_back(dataset.name);
  return names;
}

}  // namespace

void StudyOptions::declare(Options& options) {
  options.add("out", out, "folder of the study; a study that is there already is continued")
      .alias("o");
  options.add("runs", runs, "folder of runs to share with other studies (default: runs in --out)");
  options.add("model", models, "recommenders to train").alias("models");
  options.add("seed", seed, "the first seed");
  options.add("jobs", jobs, "number of runs at the same time; they share the threads")
      .range(1, 1024);
  options.add("checkpoint_seconds", checkpoint_seconds, "number of seconds between two checkpoints")
      .range(0)
      .advanced();
  options.section("Study");
}

void StudyOptions::declare_paper(Options& options) {
  options.add("paper", paper,
              fmt::format("start from the paper's hyper-parameters for this dataset: {}",
                          fmt::join(paper_names(), ", ")));
}

void ComparisonOptions::declare_comparison(Options& options) {
  options.add("seeds", seeds, "number of seeds per row: --seed and those that follow it")
      .range(1, 1000);
  options.add("metrics", metrics, "metrics to show and test; the files hold all of them");
  options.add("topk", topk, "cutoffs of the metrics").range(1, 1e6);
  options.add("resamples", resamples, "number of bootstrap resamples of the users").range(100, 1e6);
}

void CompareOptions::declare(Options& options) {
  StudyOptions::declare(options);
  options
      .add("samplers", samplers,
           "all, or names with settings of their own (divns:divns.lambda=0.5,l2=0.01), or a TOML "
           "file with a table for each model and label")
      .alias("sampler");
  options.add("baselines", baselines, "models that are fitted, not trained by sampling")
      .alias("yardsticks");
  declare_paper(options);
  declare_comparison(options);
  options.add("reference", reference,
              "label to test against every other one (default: divns, or else the first)");
}

void AblateOptions::declare(Options& options) {
  StudyOptions::declare(options);
  options.add("sampler", sampler, "sampler whose options are varied");
  std::vector<std::string> names;
  for (const AblationAxis& axis : ablation_axes()) names.push_back(axis.name);
  options.add("axis", axes,
              fmt::format("what to vary, one at a time: {}; or any option with its values, as in "
                          "l2=1e-4/1e-2/1",
                          fmt::join(names, ", ")));
  declare_paper(options);
  declare_comparison(options);
}

void TuneOptions::declare(Options& options) {
  StudyOptions::declare(options);
  options.add("samplers", samplers, "all, or some names; each gets the same budget")
      .alias("sampler");
  options.add("baselines", baselines, "models that are fitted, not trained by sampling")
      .alias("yardsticks");
  options.add("trials", trials, "number of settings to try for each sampler").range(1, 100000);
  options
      .add("rungs", rungs,
           "epochs after which the best trials continue; validations come after 6, 11, 16, ... "
           "epochs")
      .range(1);
  options.add("keep", keep, "share of the trials that continues from rung to rung").range(0.01, 1);
  options.add("grid", grid, "the ranges that options declare, or the paper's grid")
      .choices({"declared", "paper"});
  options.add("fix", fix, "options that keep their value although they declare a range");
}

uint64_t TuneOptions::budget_epochs() const {
  return halving_plan(*this).epochs();
}

void ReproduceOptions::declare(Options& options) {
  options.add("data", data,
              "prepared datasets: NAME=FOLDER with the paper's names (amazon-beauty, ml-1m, "
              "pinterest, yelp-2022) or your own, or a folder that holds several");
  options.add("out", out, "folder of the results").alias("o");
  options.add("runs", runs, "folder of runs to share with other studies (default: runs in --out)");
  options.section("Study");
  options.add("model", models, "only these of the paper's recommenders").alias("models");
  options.add("samplers", samplers, "only these of the paper's samplers").alias("sampler");
  options.add("seeds", seeds, "number of seeds per row, from 1 on").range(1, 1000);
  options.add("quick", quick, "one seed and 20 epochs: shows how it works, not how it comes out");
  options.add("jobs", jobs, "number of runs at the same time; they share the threads")
      .range(1, 1024);
}

void check_study(const StudyOptions& options) {
  if (options.out.empty()) fail("no folder for the study was given; choose one with --out.");
  if (!options.paper.empty() && !is_paper_dataset(options.paper))
    fail("paper is '{}', but one of {} is expected.{}", options.paper,
         fmt::join(paper_names(), ", "), did_you_mean(options.paper, paper_names()));
}

Settings base_settings(const StudyOptions& options, const std::string& model,
                       const std::string& sampler) {
  Settings settings =
      options.paper.empty() ? Settings() : paper_settings(options.paper, model, sampler);
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  return settings;
}

HalvingPlan halving_plan(const TuneOptions& options) {
  return {static_cast<size_t>(options.trials),
          {options.rungs.begin(), options.rungs.end()},
          options.keep};
}

}  // namespace divns
