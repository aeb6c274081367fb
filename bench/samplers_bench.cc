// SPDX-License-Identifier: Apache-2.0
// Seconds per epoch of every sampler of the registry on every model, and their ratios to uniform
// sampling (rns) and to DNS. Epochs of all samplers alternate, so that a change of the machine's
// speed affects all of them; the median over the rounds is printed. Validation and statistics are
// excluded.
//
//   bench_samplers [DATASET [rounds [model [sampler ...]]]]
//
// Without a dataset: a synthetic one of 80,000 pairs. Default: all models and samplers.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "divns/dataset.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "divns/registry.h"
#include "models/registry.h"
#include "synth/synth.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

struct Runner {
  std::string sampler;
  std::unique_ptr<Trainer> trainer;
  std::vector<double> total;
  std::vector<double> sampling;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

std::unique_ptr<Trainer> make_trainer(std::string_view model, std::string_view sampler,
                                      const Interactions& train, const Executor& executor) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  options.set("model", model, OptionSource::kSet);
  options.set("sampler", sampler, OptionSource::kSet);
  options.set("diagnostics_users", "0", OptionSource::kSet);
  setup.resolve(options);
  return std::make_unique<Trainer>(setup.config(), setup.take_parts(), train, Validate(), executor);
}

using Names = std::vector<std::string>;

void measure(std::string_view model, const Names& wanted, const Interactions& train, int rounds,
             const Executor& executor) {
  const auto is_wanted = [&](const SamplerEntry& entry) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), entry.name) != wanted.end();
  };
  std::vector<Runner> runners;
  for (const SamplerEntry& entry : samplers())
    if (entry.needs.empty() && is_wanted(entry) && sampler_fits(entry.name, model))
      runners.push_back(
          {std::string(entry.name), make_trainer(model, entry.name, train, executor), {}, {}});
  // The first epoch warms up, and some samplers have less work in it.
  for (int round = -1; round < rounds; ++round)
    for (Runner& runner : runners) {
      const PhaseSeconds seconds = runner.trainer->run_epoch().seconds;
      if (round < 0) continue;
      runner.total.push_back(seconds.total() - seconds.evaluation);
      runner.sampling.push_back(seconds.sampling);
    }
  const auto seconds_of = [&](std::string_view name) {
    for (const Runner& runner : runners)
      if (runner.sampler == name) return median(runner.total);
    return 0.0;
  };
  fmt::print("\n| {} | s per epoch | of it sampling | x rns | x dns |\n|---|---|---|---|---|\n",
             model);
  for (const Runner& runner : runners) {
    const double seconds = median(runner.total);
    fmt::print("| {} | {:.3f} | {:.3f} | {:.2f} | {:.2f} |\n", runner.sampler, seconds,
               median(runner.sampling), seconds / seconds_of("rns"), seconds / seconds_of("dns"));
  }
  std::fflush(stdout);
}

void measure_all(const std::string& name, const Interactions& train, int rounds,
                 const std::string& model, const Names& wanted, const Executor& executor) {
  fmt::print("{}: {} users, {} items, {} training pairs, {} threads\n", name, train.users(),
             train.item_count, train.pairs(), executor.threads());
  for (const ModelEntry& entry : models())
    if (model.empty() || entry.name == model) measure(entry.name, wanted, train, rounds, executor);
}

}  // namespace
}  // namespace divns

int main(int argc, char** argv) {
  using namespace divns;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  const std::string model = argc > 3 ? argv[3] : "";
  const Names wanted(argv + std::min(argc, 4), argv + argc);
  const Executor executor;
  if (argc < 2) {
    const SynthData data = generate_synth(synth_preset("demo"), executor);
    measure_all("synthetic", data.interactions(), rounds, model, wanted, executor);
  } else {
    const Dataset data = Dataset::open(argv[1]);
    measure_all(argv[1], data.train(), rounds, model, wanted, executor);
  }
}
