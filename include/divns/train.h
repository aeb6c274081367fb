// SPDX-License-Identifier: Apache-2.0
// Training a recommender on a prepared dataset.
//
//   divns::TrainOptions options{.model = "lightgcn", .sampler = "divns", .seed = 1};
//   options.set("divns.lambda", "0.7");
//   const divns::Run run = divns::train(data, options);
//   divns::recommend(run.model(), "user-42");
//
// The result depends on the data and the options alone: it has the same bits for any number of
// threads, and for a run that was stopped and resumed. The library prints nothing; progress goes to
// the callbacks.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "divns/dataset.h"
#include "divns/model.h"
#include "divns/options.h"
#include "divns/settings.h"

namespace divns {

// The options of a training. The common ones are fields; every option, including those of each
// model, sampler and loss, can be given by its name (`divns list options` prints them all). A field
// that is not set takes the default of the options table.
struct TrainOptions {
  std::string model = "mf";
  std::string sampler = "rns";
  uint64_t seed = 1;
  std::optional<std::string> loss = {};
  std::optional<int> embedding_dim = {};
  std::optional<int> epochs = {};  // upper limit; early stopping may end the training before
  std::optional<int> batch_size = {};
  std::optional<int> negatives = {};  // negatives per positive
  std::optional<double> learning_rate = {};
  std::optional<double> l2 = {};
  std::optional<std::string> valid_metric = {};  // metric that early stopping watches

  // Folder of the run: configuration, event log, checkpoints, metrics, model. Empty: the run leaves
  // no files behind.
  std::filesystem::path folder = {};
  bool resume = false;  // continue the run in `folder` if there is one
  // Begin with the parameters of this model, which was trained on an earlier state of the data.
  // Users and items are matched by their original ids. Those that the model does not have begin as
  // in any training. The model and its embedding dimension must be those of the options.
  const TrainedModel* initial_model = nullptr;
  double checkpoint_seconds = 30;  // between two checkpoints; 0 writes one after every epoch
  // Keeps the checkpoint of a finished run, so that `resume` with more epochs can continue it.
  bool keep_checkpoint = false;
  int threads = 0;  // 0: one per core

  // Shares the work with the other processes of the MPI job (divns/ranks.h). The option `blocks`
  // must have a user block for each of them. Only rank 0 writes the folder, calls the callbacks and
  // has a model in the end.
  bool ranks = false;
  // Bytes of memory to use (divns/plan.h); 0: no limit. If blocks in memory would take more, they
  // are kept in a file in `scratch` (empty: the system's folder for temporary files).
  uint64_t memory_limit = 0;
  std::filesystem::path scratch = {};

  Settings settings = {};  // options by name; they take precedence over the fields

  // Adds a setting. The name and the value are checked by train().
  void set(std::string name, std::string value) {
    settings.push_back({std::move(name), std::move(value)});
  }
  // Fields and settings as one list.
  Settings all_settings() const;
};

// Seconds spent in the phases of a training.
struct PhaseSeconds {
  double sampling = 0;     // order of the pairs, candidate draws, choice of negatives
  double propagation = 0;  // vectors from parameters, and gradients back to parameters
  double gradient = 0;
  double optimiser = 0;   // includes the gradient sums where a schedule applies them at once
  double evaluation = 0;  // validation, and the statistics of the negatives

  double total() const;
  PhaseSeconds& operator+=(const PhaseSeconds& other);
};

// The phases with their names in reports and files, in this order.
struct Phase {
  const char* name;
  double PhaseSeconds::*seconds;
};
inline constexpr Phase kPhases[] = {{"sampling", &PhaseSeconds::sampling},
                                    {"propagation", &PhaseSeconds::propagation},
                                    {"gradient", &PhaseSeconds::gradient},
                                    {"optimiser", &PhaseSeconds::optimiser},
                                    {"evaluation", &PhaseSeconds::evaluation}};

inline double PhaseSeconds::total() const {
  double sum = 0;
  for (const Phase& phase : kPhases) sum += this->*phase.seconds;
  return sum;
}

inline PhaseSeconds& PhaseSeconds::operator+=(const PhaseSeconds& other) {
  for (const Phase& phase : kPhases) this->*phase.seconds += other.*phase.seconds;
  return *this;
}

// Statistics of the negatives of an epoch, over a fixed sample of users. An item that is mixed into
// a negative counts by its weight; the row's own positive does not count.
struct NegativeReport {
  // The first five are missing for samplers that generate vectors instead of choosing items.
  std::optional<double> distinct;         // distinct items over items drawn, mean over users
  std::optional<double> popularity;       // mean number of training pairs per item
  std::optional<double> false_negatives;  // share that the user likes (synthetic data only)
  std::optional<double> valid_positives;  // share that are validation items of the user
  std::optional<double> item_diversity;   // of the items' own vectors, mean over users
  std::optional<double> diversity;        // of the negative vectors, mean over users

  // The values that exist, by name.
  std::vector<std::pair<std::string, double>> named() const;
};

struct EpochReport {
  uint32_t epoch = 0;  // counted from 0
  size_t batches = 0;
  double loss = 0;               // sum of the batches' losses
  double hardness = 0;           // mean of score(user, negative) - score(user, positive)
  std::string metric_name;       // "recall@20"
  std::optional<double> metric;  // its value, if this epoch was validated
  bool improved = false;         // the metric is the best so far
  double best_metric = 0;
  uint32_t best_epoch = 0;
  PhaseSeconds seconds;
  // Of a training over blocks, on all ranks: bytes that ranks sent to each other in the epoch, and
  // bytes that were read from and written to blocks on disk.
  uint64_t bytes_sent = 0;
  uint64_t bytes_on_disk = 0;
  std::optional<NegativeReport> negatives;
  std::vector<std::pair<std::string, double>> sampler;  // values that the sampler itself reports
};

struct TrainCallbacks {
  // After every epoch, validation included. Returning false ends the training here: the best
  // parameters so far become the model.
  std::function<bool(const EpochReport&)> on_epoch = {};
  // The current epoch and the share of it that is done; called after every batch.
  std::function<void(uint32_t epoch, double share)> on_progress = {};
  // After a checkpoint was written: the file and the number of epochs that it holds.
  std::function<void(const std::filesystem::path& file, uint32_t epochs)> on_checkpoint = {};
  // May be set to true by any thread, or by a signal handler: the training ends after the current
  // epoch with a checkpoint, unfinished. An epoch that takes longer than `grace_seconds` is
  // abandoned; a resumed run repeats it.
  const std::atomic<bool>* stop = nullptr;
  double grace_seconds = 5;
  // When it becomes true, the current epoch is abandoned at once, in the middle of a batch.
  const std::atomic<bool>* cancel = nullptr;
};

struct RunResult {
  bool finished = false;  // false: stopped; resume continues
  bool resumed = false;
  uint32_t epochs = 0;
  bool validated = false;
  std::string metric_name;  // "recall@20"
  double best_metric = 0;
  uint32_t best_epoch = 0;
  double last_loss = 0;  // mean over the batches of the last epoch
  PhaseSeconds seconds;  // of all epochs, including those before a resume
};

// A training that has ended, or was stopped.
class Run {
 public:
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  const RunResult& result() const;
  // Empty if the run left no files behind.
  const std::filesystem::path& folder() const;
  // Throws Error if the run is not finished.
  const TrainedModel& model() const;

 private:
  friend Run train(const Dataset&, const TrainOptions&, const TrainCallbacks&);
  struct Contents;
  explicit Run(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents_;
};

Run train(const Dataset& data, const TrainOptions& options, const TrainCallbacks& callbacks = {});

// The table of all training options with their defaults, ranges and help: what command lines,
// configuration files and documentation are made from. Values that are set in the table become
// settings of a training:
//
//   divns::TrainingTable table;
//   table.options().load_toml("training.toml");
//   options.settings = table.given();
class TrainingTable {
 public:
  TrainingTable();
  ~TrainingTable();
  TrainingTable(TrainingTable&&) noexcept;
  TrainingTable& operator=(TrainingTable&&) noexcept;

  Options& options();
  const Options& options() const;
  // Applies the presets that options imply (`protocol`), and refuses names and combinations that a
  // training would refuse.
  void resolve();
  // The options that were set.
  Settings given() const;
  // The same for a larger table that includes this one.
  Settings given_in(const Options& table) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace divns
