// SPDX-License-Identifier: Apache-2.0
// Quality against time: Recall@20 and NDCG@20 after every so many epochs of LightGCN and MF with
// BPR and uniform negatives, of the preset `fast`, and of iALS and EASE.
//
//   bench_time_to_quality [SECONDS] [FOLDER...] [--only NAME] [--ease] [KEY=VALUE...]
//
// SECONDS is the limit of each training, in processor time divided by two (two cores without other
// work); default 5. Folders are prepared datasets; default: synthetic data. A dataset is measured
// on its test part if it has no validation part, else on the validation part. --ease includes EASE,
// which needs items x items floats. Settings such as ease.l2=80 apply to EASE or iALS, others to
// the preset. Rows are printed at once, as CSV; the time of evaluation is left out.
#include <fmt/format.h>
#include <time.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "divns/dataset.h"
#include "divns/error.h"
#include "divns/evaluate.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "divns/stopwatch.h"
#include "divns/synth.h"
#include "models/registry.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

struct Data {
  std::string name;
  Interactions train;
  Interactions relevant;  // what is looked for: the test part
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Wall time, and processor time of all threads divided by two.
class Clock {
 public:
  void start() {
    wall_ = watch_.seconds();
    processor_ = processor_seconds();
  }
  void stop() {
    wall += watch_.seconds() - wall_;
    processor += (processor_seconds() - processor_) / 2;
  }

  double wall = 0;
  double processor = 0;

 private:
  Stopwatch watch_;
  double wall_ = 0;
  double processor_ = 0;
};

void print_point(const Data& data, const std::string& name, uint32_t epoch, const Clock& clock,
                 const Scorer& scorer, const Executor& executor) {
  const Evaluation result = evaluate({.users = scorer.users,
                                      .items = scorer.items,
                                      .train = data.train,
                                      .relevant = data.relevant,
                                      .scores = scorer.source},
                                     executor);
  fmt::print("{},{},{},{:.1f},{:.1f},{:.4f},{:.4f}\n", data.name, name, epoch, clock.wall,
             clock.processor, result.mean("recall@20"), result.mean("ndcg@20"));
  std::fflush(stdout);
}

struct Contender {
  std::string name;
  std::vector<std::string> settings;
};

void train(const Data& data, const Contender& contender, double seconds, const Executor& executor) {
  Clock clock;
  clock.start();
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const std::string& setting : contender.settings)
    options.set_assignment(setting, OptionSource::kSet);
  setup.resolve(options);
  Trainer trainer(setup.config(), setup.take_parts(), data.train, {}, executor);
  double shown = 0;
  while (!trainer.finished() && clock.processor < seconds) {
    const uint32_t epoch = trainer.run_epoch().epoch;
    clock.stop();
    // About twenty points per curve.
    if (clock.processor >= shown + seconds / 20 || epoch == 0 || trainer.finished()) {
      shown = clock.processor;
      const auto [users, items] = trainer.current_vectors();
      print_point(data, contender.name, epoch + 1, clock, {.users = users, .items = items},
                  executor);
    }
    clock.start();
  }
}

// Whether the setting is an option of a fitted model.
bool belongs_to(const std::string& setting, std::string_view model) {
  return setting.starts_with(model) && setting.substr(model.size()).starts_with('.');
}

void fit(const Data& data, const char* name, const std::vector<std::string>& settings,
         const Executor& executor) {
  const auto model = find_fitted_model(name)->make();
  Options options;
  model->declare(options);
  for (const std::string& setting : settings)
    if (belongs_to(setting, name)) options.set_assignment(setting, OptionSource::kSet);
  Clock clock;
  clock.start();
  model->fit({data.train, executor});
  clock.stop();
  print_point(data, name, 0, clock, model->scorer(), executor);
}

struct Request {
  double seconds = 5;
  std::vector<std::string> folders;
  std::string only;
  bool ease = false;
  std::vector<std::string> settings;

  bool wants(const std::string& name) const { return only.empty() || only == name; }
};

void measure(const std::string& name, const Dataset& dataset, const Request& request) {
  const Executor executor;
  const bool sealed = dataset.valid().pairs() > 0;
  std::optional<Dataset::TestPart> test;
  if (!sealed) test.emplace(dataset.open_test());
  const Data data{name, dataset.train(), sealed ? dataset.valid() : test->interactions()};
  Contender fast{"fast", {"preset=fast"}};
  for (const std::string& setting : request.settings)
    if (!belongs_to(setting, "ease") && !belongs_to(setting, "ials"))
      fast.settings.push_back(setting);
  for (const Contender& contender : {fast, Contender{"mf bpr", {"model=mf", "sampler=rns"}},
                                     Contender{"lightgcn bpr", {"model=lightgcn", "sampler=rns"}}})
    if (request.wants(contender.name)) train(data, contender, request.seconds, executor);
  if (request.wants("ials")) fit(data, "ials", request.settings, executor);
  if (request.ease && request.wants("ease")) fit(data, "ease", request.settings, executor);
}

Request parse(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--ease")
      request.ease = true;
    else if (word == "--only" && i + 1 < argc)
      request.only = argv[++i];
    else if (word.find('=') != std::string::npos)
      request.settings.push_back(word);
    else if (i == 1 && std::atof(argv[i]) > 0)
      request.seconds = std::atof(argv[i]);
    else
      request.folders.push_back(word);
  }
  return request;
}

void run(const Request& request) {
  fmt::print("data,contender,epochs,wall_seconds,two_core_seconds,recall@20,ndcg@20\n");
  for (const std::string& folder : request.folders) measure(folder, Dataset::open(folder), request);
  if (request.folders.empty())
    measure("synthetic", Dataset::synthetic(synth_preset("demo")), request);
}

}  // namespace
}  // namespace divns

int main(int argc, char** argv) {
  try {
    divns::run(divns::parse(argc, argv));
  } catch (const divns::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
