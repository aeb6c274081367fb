// SPDX-License-Identifier: Apache-2.0
// Studies: many runs on one dataset, and what follows from them.
//
//   divns::CompareOptions options;
//   options.out = "study";
//   options.samplers = "rns,dns,divns";
//   const divns::ComparisonResult result = divns::compare(data, options);
//   std::cout << result.table;
//
// A study is a folder. It can be stopped at any moment; the same call continues it. Its results are
// the same, byte for byte, for any number of threads and of runs at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "divns/dataset.h"
#include "divns/options.h"
#include "divns/settings.h"
#include "divns/significance.h"

namespace divns {

struct StudyProgress {
  size_t done = 0;
  size_t total = 0;
  std::string current;          // the run that reported last: "mf dns seed 2, epoch 35"
  double seconds_left = -1;     // estimate from the runs done so far; negative while there is none
  double seconds_per_run = -1;  // mean over the runs done so far; negative while there is none
};

struct StudyCallbacks {
  // Called often, from any thread, but never by two threads at a time.
  std::function<void(const StudyProgress&)> on_progress = {};
  // When it becomes true, the current runs end after their epoch with a checkpoint.
  const std::atomic<bool>* stop = nullptr;
  // When it becomes true, the current epochs are abandoned as well.
  const std::atomic<bool>* cancel = nullptr;
};

// What all studies have in common.
struct StudyOptions {
  std::string out;   // folder of the study
  std::string runs;  // folder of runs to share with other studies; empty: runs/ in `out`
  std::vector<std::string> models = {"mf"};
  uint64_t seed = 1;  // the first seed
  int jobs = 1;       // runs at the same time; they share the threads
  int threads = 0;    // 0: one per core
  double checkpoint_seconds = 30;
  int text_columns = 120;  // width of the tables for a terminal; wider ones are divided
  std::string paper;       // start from the paper's hyper-parameters for this dataset
  Settings settings;       // training options that all runs share
  std::string command;     // the command that repeats the study, for its record

  void declare(Options& options);
  void declare_paper(Options& options);
};

// What studies that end with a table of rows x metrics have in common.
struct ComparisonOptions : StudyOptions {
  int seeds = 5;
  std::vector<std::string> metrics = {"recall@10", "ndcg@10", "recall@20", "ndcg@20"};
  std::vector<int> topk = {10, 20, 50};
  int resamples = 2000;  // bootstrap resamples of the users

  void declare_comparison(Options& options);
};

struct CompareOptions : ComparisonOptions {
  // "all", or names with settings of their own ("dns,divns:divns.lambda=0.5,l2=0.01"), or a TOML
  // file with a table for each model and label, as tune() writes it.
  std::string samplers = "all";
  std::vector<std::string> baselines;  // models that are fitted, not trained by sampling
  std::string reference;  // label that is tested against every other; empty: divns, or the first

  void declare(Options& options);
};

struct AblateOptions : ComparisonOptions {
  std::string sampler = "divns";
  // Names of axes ("lambda", "m", "n", "module"), or options with values: "l2=1e-4/1e-2/1".
  std::vector<std::string> axes = {"lambda", "m", "n", "module"};

  void declare(Options& options);
};

// One row of a comparison. Values are in the order of ComparisonResult::columns.
struct ComparedRow {
  std::string group;  // rows of a group are ranked and tested among themselves
  std::string model;
  std::string label;
  std::string sampler;  // empty for a baseline
  std::string config;   // resolved options with the first seed, as TOML
  struct OfSeed {
    uint64_t seed = 0;
    std::string run;  // name of the run's folder
    uint32_t epochs = 0;
    double seconds = 0;
    std::vector<double> values;
  };
  std::vector<OfSeed> seeds;
  std::vector<double> mean;  // over seeds
  std::vector<double> sd;    // over seeds, n - 1 in the denominator; 0 for one seed
};

// The reference of a group against another row of it. Differences are reference minus other.
struct ComparisonTest {
  std::string group;
  std::string metric;
  std::string reference;
  std::string other;
  double difference = 0;  // mean over users, each user's value being the mean over seeds
  Interval interval;      // 95 % bootstrap interval of that mean
  double p_users = 1;     // Wilcoxon's signed-rank test over users, Holm-corrected
  double p_seeds = 1;     // paired t test over seeds, Holm-corrected
};

struct ComparisonResult {
  bool finished = false;             // false: stopped; the same call continues
  std::vector<std::string> columns;  // "recall@20", ...
  std::vector<ComparedRow> rows;
  std::vector<ComparisonTest> tests;
  std::vector<std::string> notes;  // what was left out, and why
  std::string table;               // of the chosen metrics, for a terminal
  std::string tests_table;         // of the last metric; empty if nothing was tested
  std::string json;                // the content of study.json
};

ComparisonResult compare(const Dataset& data, const CompareOptions& options,
                         const StudyCallbacks& callbacks = {});
// The same comparison on several prepared datasets, for example on several splits of the same
// interactions: one study per dataset in OUT/NAME, where NAME is that of the dataset's folder
// without its extension, and one table of all.
struct DatasetsResult {
  bool finished = false;
  std::vector<std::string> names;
  std::vector<ComparisonResult> studies;  // one per dataset
  std::string table;
  std::string json;  // the content of OUT/study.json
};

DatasetsResult compare_datasets(std::span<const Dataset> data, const CompareOptions& options,
                                const StudyCallbacks& callbacks = {});
// Varies one option at a time around a base configuration.
ComparisonResult ablate(const Dataset& data, const AblateOptions& options,
                        const StudyCallbacks& callbacks = {});

// Successive halving on the validation part, with the same budget for each sampler.
struct TuneOptions : StudyOptions {
  std::string samplers = "all";
  std::vector<std::string> baselines;
  int trials = 27;                        // settings that are tried for each sampler
  std::vector<int> rungs = {11, 31, 91};  // epochs after which the best trials continue
  double keep = 1.0 / 3;                  // share of the trials that continues
  std::string grid = "declared";          // the ranges that options declare, or "paper"
  // Options not to tune. More negatives per pair would make an epoch of the budget longer.
  std::vector<std::string> fix = {"embedding_dim", "lightgcn.layers", "negatives", "l2_user",
                                  "l2_positive"};

  void declare(Options& options);
  // Epochs that each sampler may train.
  uint64_t budget_epochs() const;
};

struct TunedRow {
  std::string model;
  std::string label;
  std::string sampler;
  Settings best;                // settings of the best trial
  std::optional<double> valid;  // its validation metric
  size_t trials = 0;
  uint64_t epochs_trained = 0;
};

struct TuneResult {
  bool finished = false;
  std::vector<TunedRow> rows;
  std::vector<std::string> notes;
  std::string table;
  std::string json;
  std::string winners;  // file that CompareOptions::samplers accepts
};

TuneResult tune(const Dataset& data, const TuneOptions& options,
                const StudyCallbacks& callbacks = {});

// The tables and figures of the DivNS paper, each with our figures beside the printed ones.
struct ReproduceOptions {
  std::string name;               // one of reproducible_names()
  std::vector<std::string> data;  // prepared datasets: NAME=FOLDER, or a folder of several
  std::string out;
  std::string runs;
  std::vector<std::string> models;    // only these; empty: those of the paper
  std::vector<std::string> samplers;  // likewise
  int seeds = 5;
  bool quick = false;  // one seed and 20 epochs: shows how it works, not how it comes out
  int jobs = 1;
  int threads = 0;
  int text_columns = 120;
  Settings settings;
  std::string command;

  void declare(Options& options);
};

struct ReproduceResult {
  bool finished = false;
  std::string text;
  std::string json;
};

std::vector<std::string> reproducible_names();
ReproduceResult reproduce(const ReproduceOptions& options, const StudyCallbacks& callbacks = {});

// The command line that repeats a study: every option that was set, except those that cannot change
// a result (threads, jobs, output folder).
std::string repeat_command(const std::string& verb, const Options& options);

}  // namespace divns
