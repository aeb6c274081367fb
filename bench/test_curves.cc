// SPDX-License-Identifier: Apache-2.0
// Loss, Recall@20 and NDCG@20 on the test part during training: mean and standard deviation over
// seeds 1 .. S. Figures on fixed public splits were published in this way; do not use it to choose
// settings.
//
//   test_curves DATASET LAST_EPOCH SEEDS [key=value ...]
//   test_curves dens-baby.divns 15 5 sampler=dns model=lightgcn dns.candidates=6 drop_last=true
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "divns/dataset.h"
#include "divns/error.h"
#include "divns/evaluate.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "numerics/moments.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

constexpr uint32_t kEvery = 5;

// One value per seed.
struct Curve {
  std::vector<double> loss;
  std::vector<double> recall;
  std::vector<double> ndcg;
};

std::string mean_and_deviation(const std::vector<double>& values, int digits) {
  const Moments over = moments(values);
  return fmt::format("{:.{}f} ± {:.{}f}", over.mean, digits, over.sd, digits);
}

void train_once(const Dataset& data, const Interactions& test, uint32_t last_epoch, int seed,
                int argc, char** argv, const Executor& executor, std::map<uint32_t, Curve>& curve) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  options.set("seed", std::to_string(seed), OptionSource::kSet);
  for (int i = 4; i < argc; ++i) options.set_assignment(argv[i], OptionSource::kSet);
  setup.resolve(options);
  Trainer trainer(setup.config(), setup.take_parts(), data.train(), {}, executor);
  for (uint32_t epoch = 0; epoch <= last_epoch; ++epoch) {
    const EpochReport report = trainer.run_epoch();
    if (epoch % kEvery != 0) continue;
    const auto [users, items] = trainer.current_vectors();
    const Evaluation result = evaluate(
        {.users = users, .items = items, .train = data.train(), .relevant = test}, executor);
    curve[epoch].loss.push_back(report.loss);
    curve[epoch].recall.push_back(result.mean("recall@20"));
    curve[epoch].ndcg.push_back(result.mean("ndcg@20"));
    // Printed immediately, so that an interrupted run is not lost.
    fmt::print(stderr, "seed {} epoch {} loss {:.3f} recall@20 {:.4f} ndcg@20 {:.4f}\n", seed,
               epoch, report.loss, curve[epoch].recall.back(), curve[epoch].ndcg.back());
  }
}

int run(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "test_curves DATASET LAST_EPOCH SEEDS [key=value ...]\n");
    return 2;
  }
  const Executor executor;
  const Dataset data = Dataset::open(argv[1]);
  const Dataset::TestPart test = data.open_test();
  const int seeds = std::atoi(argv[3]);
  std::map<uint32_t, Curve> curve;
  for (int seed = 1; seed <= seeds; ++seed)
    train_once(data, test.interactions(), static_cast<uint32_t>(std::atoi(argv[2])), seed, argc,
               argv, executor, curve);
  fmt::print("| epoch | loss | Recall@20 | NDCG@20 |\n|---|---|---|---|\n");
  for (const auto& [epoch, at] : curve)
    fmt::print("| {} | {} | {} | {} |\n", epoch, mean_and_deviation(at.loss, 3),
               mean_and_deviation(at.recall, 4), mean_and_deviation(at.ndcg, 4));
  // The value that is reported if the best evaluation on the test part counts.
  std::vector<double> recall(static_cast<size_t>(seeds), 0.0);
  std::vector<double> ndcg = recall;
  for (const auto& [epoch, at] : curve)
    for (size_t s = 0; s < recall.size(); ++s) {
      recall[s] = std::max(recall[s], at.recall[s]);
      ndcg[s] = std::max(ndcg[s], at.ndcg[s]);
    }
  fmt::print("| best of each run | | {} | {} |\n", mean_and_deviation(recall, 4),
             mean_and_deviation(ndcg, 4));
  return 0;
}

}  // namespace
}  // namespace divns

int main(int argc, char** argv) {
  try {
    return divns::run(argc, argv);
  } catch (const divns::Error& error) {
    fmt::print(stderr, "test_curves: {}\n", error.what());
    return 2;
  }
}
