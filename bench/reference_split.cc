// SPDX-License-Identifier: Apache-2.0
// Trains on a fixed split given as `train.txt` and `test.txt` (a line a user: its number, then item
// numbers) and prints loss and quality as it goes, then the mean over the seeds: for figures that
// others published on such splits.
//
//   reference_split FOLDER FIRST_SEED LAST_SEED THREADS key=value ...
//
// for example ... data/dens-beauty 1 5 2 sampler=dens dens.gamma=0.3 epochs=71
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "base/options.h"
#include "divns/error.h"
#include "eval/evaluate.h"
#include "models/registry.h"
#include "samplers/registry.h"
#include "train/trainer.h"

namespace {

using namespace divns;

struct Split {
  std::vector<std::vector<uint32_t>> rows;
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> items;
  uint32_t item_count = 0;

  explicit Split(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw Error("cannot read " + path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream numbers(line);
      uint32_t user = 0;
      if (!(numbers >> user)) continue;
      if (rows.size() <= user) rows.resize(user + 1);
      for (uint32_t item = 0; numbers >> item;) rows[user].push_back(item);
    }
    for (auto& row : rows) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      if (!row.empty()) item_count = std::max(item_count, row.back() + 1);
    }
  }
  void flatten(size_t users, uint32_t all_items) {
    rows.resize(users);
    item_count = all_items;
    for (const auto& row : rows) {
      items.insert(items.end(), row.begin(), row.end());
      offsets.push_back(items.size());
    }
  }
  Interactions view() const { return {offsets, items, item_count}; }
};

struct Mean {
  double loss = 0;
  double recall = 0;
  double ndcg = 0;
  int seeds = 0;
};

void run(int argc, char** argv) {
  const std::string folder = argv[1];
  const int first_seed = std::atoi(argv[2]);
  const int last_seed = std::atoi(argv[3]);
  Split train(folder + "/train.txt");
  Split test(folder + "/test.txt");
  const size_t users = std::max(train.rows.size(), test.rows.size());
  const uint32_t items = std::max(train.item_count, test.item_count);
  train.flatten(users, items);
  test.flatten(users, items);

  const Executor executor(std::atoi(argv[4]));
  std::map<uint32_t, Mean> means;
  double seconds = 0;
  uint32_t epochs = 0;
  for (int seed = first_seed; seed <= last_seed; ++seed) {
    TrainConfig config;
    config.model = "lightgcn";
    config.drop_last = true;
    config.epochs = 71;
    for (int i = 5; i < argc; ++i)
      if (std::string_view(argv[i]).starts_with("sampler="))
        config.sampler = argv[i] + 8;
      else if (std::string_view(argv[i]).starts_with("model="))
        config.model = argv[i] + 6;
    auto model = find_model(config.model).make();
    auto sampler = find_sampler(config.sampler).make();
    Options options;
    config.declare(options);
    model->declare(options);
    sampler->declare(options);
    for (int i = 5; i < argc; ++i) options.set_assignment(argv[i], OptionSource::kSet);
    config.seed = static_cast<uint64_t>(seed);
    Trainer trainer(config, std::move(model), std::move(sampler), train.view(), {}, executor);
    while (!trainer.finished()) {
      const EpochReport report = trainer.run_epoch();
      seconds += report.seconds.total();
      ++epochs;
      if (report.epoch % static_cast<uint32_t>(config.eval_every) != 0) continue;
      const auto [user_vectors, item_vectors] = trainer.current_vectors();
      const Evaluation result = evaluate({.users = user_vectors,
                                          .items = item_vectors,
                                          .train = train.view(),
                                          .relevant = test.view()},
                                         executor);
      const double recall = result.mean(Metric::kRecall, 20);
      const double ndcg = result.mean(Metric::kNdcg, 20);
      fmt::print("seed {} epoch {} loss {:.3f} recall@20 {:.4f} ndcg@20 {:.4f} seconds {:.3f}",
                 seed, report.epoch, report.loss, recall, ndcg, report.seconds.total());
      for (const auto& [name, value] : report.sampler) fmt::print(" {} {:.4f}", name, value);
      fmt::print("\n");
      std::fflush(stdout);
      Mean& mean = means[report.epoch];
      mean.loss += report.loss;
      mean.recall += recall;
      mean.ndcg += ndcg;
      ++mean.seeds;
    }
  }
  fmt::print("mean of {} seeds, {:.3f} s an epoch\n", last_seed - first_seed + 1, seconds / epochs);
  for (const auto& [epoch, mean] : means)
    fmt::print("epoch {:3} loss {:7.3f} recall@20 {:.4f} ndcg@20 {:.4f}\n", epoch,
               mean.loss / mean.seeds, mean.recall / mean.seeds, mean.ndcg / mean.seeds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr,
               "usage: reference_split FOLDER FIRST_SEED LAST_SEED THREADS key=value ...\n");
    return 2;
  }
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "reference_split: {}\n", error.what());
    return 2;
  }
  return 0;
}
