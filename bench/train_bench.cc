// SPDX-License-Identifier: Apache-2.0
// Training speed compared with the machine's limits, measured in the same run:
//   bench_train [--quality] [FOLDER...]   (prepared datasets; default: synthetic data of the shape
//   of ml-1m)
// For each dataset: one propagation layer compared with a plain gather of the same number of rows;
// an epoch of mf and lightgcn with uniform sampling on one and two threads; an epoch of lock-free
// SGD for BPR as a baseline; and with --quality the time of both to 99 % of the best validation
// Recall@20. Seconds are medians of several rounds in which the contenders alternate; for two
// threads also separately for the rounds in which their cores shared a cache and those in which
// they did not.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core_distance.h"
#include "divns/dataset.h"
#include "divns/evaluate.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "divns/random.h"
#include "divns/stopwatch.h"
#include "divns/table.h"
#include "kernels/vectors.h"
#include "models/graph.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

constexpr uint32_t kDim = 64;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Processor time of all threads: on a busy machine a more stable measure than wall time.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Timing {
  double wall = 0;
  double processor = 0;
  // Wall time of single rounds, by the distance of the cores before and after; rounds in which that
  // changed are in neither list.
  std::vector<double> near;
  std::vector<double> far;
};

// Runs the contenders alternately and returns the medians of each; the first round is not counted.
// A contender returns the share of its work that it did, and its seconds are scaled to the whole.
std::vector<Timing> race(const std::vector<std::function<double()>>& contenders, int rounds) {
  std::vector<std::vector<double>> wall(contenders.size());
  std::vector<std::vector<double>> processor(contenders.size());
  std::vector<Timing> timings(contenders.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t c = 0; c < contenders.size(); ++c) {
      const bool far_before = core_distance() > kFarCores;
      const Stopwatch watch;
      const double before = processor_seconds();
      const double share = contenders[c]();
      const double seconds = watch.seconds() / share;
      if (round == 0) continue;
      wall[c].push_back(seconds);
      processor[c].push_back((processor_seconds() - before) / share);
      if (far_before == (core_distance() > kFarCores))
        (far_before ? timings[c].far : timings[c].near).push_back(seconds);
    }
  for (size_t c = 0; c < contenders.size(); ++c) {
    timings[c].wall = median(wall[c]);
    timings[c].processor = median(processor[c]);
  }
  return timings;
}

// Sums the source row of every edge, without scales and result rows: the limit of caches and memory
// for this access pattern.
float gather_all(std::span<const uint32_t> ids, const Table& table, const Executor& executor) {
  constexpr size_t kEdges = 8192;
  static const std::vector<float> ones(kEdges, 1.0F);
  return executor.map_reduce(
      ids.size(), kEdges, 0.0F,
      [&](size_t begin, size_t end) {
        alignas(64) float sum[kDim];
        gather_sum(table.view(), ids.data() + begin, ones.data(), end - begin, sum);
        return sum[0];
      },
      [](float a, float b) { return a + b; });
}

// The user of every pair, in the order of the items.
std::vector<uint32_t> users_by_item(const Interactions& train) {
  std::vector<std::vector<uint32_t>> lists(train.item_count);
  for (uint32_t u = 0; u < train.users(); ++u)
    for (const uint32_t i : train.row(u)) lists[i].push_back(u);
  std::vector<uint32_t> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<uint32_t> user_of_pairs(const Interactions& train) {
  std::vector<uint32_t> users;
  for (uint32_t u = 0; u < train.users(); ++u) users.insert(users.end(), train.row(u).size(), u);
  return users;
}

Table small_vectors(uint32_t rows) {
  Table table(rows, kDim);
  for (size_t x = 0; x < table.size(); ++x)
    table.data()[x] = 0.1F * static_cast<float>(std::sin(static_cast<double>(x)));
  return table;
}

// One epoch of BPR by in-place stochastic gradient steps, without locks between threads: the
// fastest possible training. Not deterministic.
void lock_free_epoch(const Interactions& train, const std::vector<uint32_t>& pair_user,
                     Table& users, Table& items, uint32_t epoch, float rate,
                     const Executor& executor) {
  constexpr float kL2 = 0.01F;
  const Random random(1, "lock free");
  executor.for_chunks(train.pairs(), 4096, [&](size_t begin, size_t end) {
    Draws draws = random.draws(epoch, static_cast<uint32_t>(begin / 4096));
    for (size_t i = begin; i < end; ++i) {
      const uint64_t pair = draws.below64(train.pairs());
      const uint32_t user = pair_user[pair];
      const auto owned = train.row(user);
      if (owned.size() == train.item_count) continue;
      uint32_t negative = draws.below(train.item_count);
      while (std::binary_search(owned.begin(), owned.end(), negative))
        negative = draws.below(train.item_count);
      float* u = users.row(user);
      float* p = items.row(train.items[pair]);
      float* n = items.row(negative);
      const float x = dot(u, n, kDim) - dot(u, p, kDim);
      const float slope = rate / (1 + std::exp(-x));
      for (uint32_t k = 0; k < kDim; ++k) {
        const float user_value = u[k];
        u[k] += slope * (p[k] - n[k]) - rate * kL2 * user_value;
        p[k] += slope * user_value - rate * kL2 * p[k];
        n[k] -= slope * user_value + rate * kL2 * n[k];
      }
    }
  });
}

// Seconds of training, without evaluation, and the validation Recall@20 after each epoch.
struct LearningCurve {
  std::vector<double> seconds;
  std::vector<double> recall;

  void add(double epoch_seconds, double value) {
    seconds.push_back((seconds.empty() ? 0 : seconds.back()) + epoch_seconds);
    recall.push_back(value);
  }
  double best() const { return *std::max_element(recall.begin(), recall.end()); }
  // The first time at which the level is reached; "never" if it never is.
  std::string reaches(double level) const {
    for (size_t e = 0; e < recall.size(); ++e)
      if (recall[e] >= level) return fmt::format("{:.2f} s (epoch {})", seconds[e], e + 1);
    return "never";
  }
};

double recall_at_20(const Dataset& data, const VectorTable& users, const VectorTable& items,
                    const Executor& executor) {
  return evaluate({.users = users, .items = items, .train = data.train(), .relevant = data.valid()},
                  executor)
      .mean("recall@20");
}

// One epoch, or for a graph model, which can continue anywhere, the part of it that fits into a few
// seconds, because large graphs take minutes.
double run_some(Trainer& trainer, bool is_mf) {
  constexpr double kSeconds = 5;
  struct Enough {
    double share;
  };
  const Stopwatch watch;
  try {
    trainer.run_epoch([&](double share) {
      if (!is_mf && watch.seconds() > kSeconds) throw Enough{share};
    });
  } catch (const Enough& enough) {
    return enough.share;
  }
  return 1;
}

std::unique_ptr<Trainer> make_trainer(const char* model, const char* precision,
                                      const Interactions& train, const Executor& executor) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  options.set("model", model, OptionSource::kSet);
  options.set("lightgcn.precision", precision, OptionSource::kSet);
  setup.resolve(options);
  auto trainer =
      std::make_unique<Trainer>(setup.config(), setup.take_parts(), train, Validate(), executor);
  // Beyond the steps that Adam evaluates one by one; every row of a graph model has a gradient.
  if (std::string_view(model) == "mf")
    for (size_t steps = 0; steps < 256; steps += trainer->run_epoch().batches) {
    }
  return trainer;
}

// Speed-up by the second thread if cores share a cache, and if they do not.
void print_by_distance(const Timing& one, const Timing& two) {
  for (const auto& [name, rounds] :
       {std::pair("share a cache", &two.near), std::pair("do not", &two.far)})
    if (rounds->size() >= 2)
      fmt::print("    where the cores {}: {:.3f} s, {:.2f} times quicker ({} rounds)\n", name,
                 median(*rounds), one.wall / median(*rounds), rounds->size());
}

void measure_spmm(const Interactions& train, const Executor& executor) {
  const Table users(train.users(), kDim);
  const Table items(train.item_count, kDim);
  Table user_out(train.users(), kDim);
  Table item_out(train.item_count, kDim);
  const Graph graph(train, executor);
  const std::vector<uint32_t> item_users = users_by_item(train);
  float sink = 0;
  // A layer gathers one row per edge in each direction; so do the two plain gathers.
  const auto timings = race({[&] {
                               graph.propagate(1, {.source = items.view(), .out = user_out.data()},
                                               {.source = users.view(), .out = item_out.data()});
                               return 1;
                             },
                             [&] {
                               sink += gather_all(train.items, items, executor) +
                                       gather_all(item_users, users, executor);
                               return 1;
                             }},
                            31);
  const double bytes = 2.0 * static_cast<double>(train.pairs()) * kDim * sizeof(float);
  fmt::print(
      "  layer {:.2f} ms, {:.1f} GB/s; plain gather {:.1f} GB/s; ratio {:.2f}, by processor "
      "time {:.2f}\n",
      timings[0].wall * 1e3, bytes / timings[0].wall / 1e9, bytes / timings[1].wall / 1e9,
      timings[1].wall / timings[0].wall, timings[1].processor / timings[0].processor);
  if (sink != 0) fmt::print("  {}\n", sink);
  std::fflush(stdout);
}

void measure_epochs(const Interactions& train) {
  const Executor one(1);
  const Executor two(2);
  for (const char* model : {"mf", "lightgcn"}) {
    const bool is_mf = std::string_view(model) == "mf";
    const auto slow = make_trainer(model, "float32", train, one);
    const auto fast = make_trainer(model, "float32", train, two);
    const auto half = is_mf ? nullptr : make_trainer(model, "bfloat16", train, two);
    std::vector<std::function<double()>> contenders = {[&] { return run_some(*slow, is_mf); },
                                                       [&] { return run_some(*fast, is_mf); }};
    const std::vector<uint32_t> pair_user = user_of_pairs(train);
    Table users = small_vectors(train.users());
    Table items = small_vectors(train.item_count);
    uint32_t epoch = 0;
    if (is_mf) {
      contenders.push_back([&] {
        lock_free_epoch(train, pair_user, users, items, epoch++, 0.05F, two);
        return 1;
      });
    } else {
      contenders.push_back([&] { return run_some(*half, is_mf); });
    }
    const auto timings = race(contenders, is_mf ? 16 : 4);
    fmt::print(
        "  {:8} epoch: 1 thread {:.3f} s ({:.3f} of processor), 2 threads {:.3f} s ({:.3f}), "
        "{:.2f} times quicker\n",
        model, timings[0].wall, timings[0].processor, timings[1].wall, timings[1].processor,
        timings[0].wall / timings[1].wall);
    print_by_distance(timings[0], timings[1]);
    if (!is_mf)
      fmt::print("  with bfloat16 hops, 2 threads: {:.3f} s\n", timings[2].wall);
    else
      fmt::print(
          "  lock-free SGD epoch, 2 threads: {:.3f} s ({:.3f}); ours takes {:.2f} times that, "
          "by processor time {:.2f}\n",
          timings[2].wall, timings[2].processor, timings[1].wall / timings[2].wall,
          timings[1].processor / timings[2].processor);
    std::fflush(stdout);
  }
}

// Both to their best quality, each with the best of a few learning rates.
void measure_time_to_quality(const Dataset& data) {
  const Executor executor(2);
  constexpr int kEpochs = 100;
  const auto ours = [&](double rate) {
    TrainingSetup setup;
    Options options;
    setup.declare(options);
    options.set("learning_rate", fmt::format("{}", rate), OptionSource::kSet);
    setup.resolve(options);
    Trainer trainer(setup.config(), setup.take_parts(), data.train(), {}, executor);
    LearningCurve curve;
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      const Stopwatch watch;
      trainer.run_epoch();
      const double seconds = watch.seconds();
      const auto [users, items] = trainer.current_vectors();
      curve.add(seconds, recall_at_20(data, users, items, executor));
    }
    return curve;
  };
  const std::vector<uint32_t> pair_user = user_of_pairs(data.train());
  const auto lock_free = [&](float rate) {
    Table users = small_vectors(data.users());
    Table items = small_vectors(data.items());
    LearningCurve curve;
    for (uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
      const Stopwatch watch;
      lock_free_epoch(data.train(), pair_user, users, items, epoch, rate, executor);
      const double seconds = watch.seconds();
      curve.add(seconds, recall_at_20(data, users.view(), items.view(), executor));
    }
    return curve;
  };
  const auto best_of = [](std::vector<LearningCurve> curves) {
    return *std::max_element(curves.begin(), curves.end(),
                             [](const auto& a, const auto& b) { return a.best() < b.best(); });
  };
  const LearningCurve a = best_of({ours(1e-3), ours(3e-3), ours(1e-2)});
  const LearningCurve b = best_of({lock_free(0.02F), lock_free(0.05F), lock_free(0.1F)});
  for (const auto& [name, curve] : {std::pair("ours", &a), std::pair("lock-free", &b)})
    fmt::print(
        "  {:9} best validation recall@20 {:.4f}; 99 % of its own best after {}, of the other's "
        "after {}\n",
        name, curve->best(), curve->reaches(0.99 * curve->best()),
        curve->reaches(0.99 * (curve == &a ? b : a).best()));
  std::fflush(stdout);
}

// Users with one to 2 * `mean` items; popular items are more frequent.
class MadeUpPairs {
 public:
  MadeUpPairs(uint32_t users, uint32_t items, uint32_t mean) : items_total_(items) {
    const Random random(1, "made up");
    for (uint32_t u = 0; u < users; ++u) {
      Draws draws = random.draws(u);
      std::vector<uint32_t> row(1 + draws.below(2 * mean));
      for (uint32_t& item : row) {
        const double x = draws.uniform();
        item = static_cast<uint32_t>(x * x * items);
      }
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      items_.insert(items_.end(), row.begin(), row.end());
      offsets_.push_back(items_.size());
    }
  }
  Interactions view() const { return {offsets_, items_, items_total_}; }

 private:
  uint32_t items_total_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<uint32_t> items_;
};

void measure(const std::string& name, const Interactions& train) {
  fmt::print("{}: {} users, {} items, {} training pairs\n", name, train.users(), train.item_count,
             train.pairs());
  std::fflush(stdout);
  measure_spmm(train, Executor(2));
  measure_epochs(train);
}

}  // namespace
}  // namespace divns

// With --quality as the first argument, also the time to 99 % of the best recall.
int main(int argc, char** argv) {
  if (argc == 1) {
    const divns::MadeUpPairs pairs(6040, 3706, 116);
    divns::measure("made-up", pairs.view());
  }
  const bool quality = argc > 1 && std::string_view(argv[1]) == "--quality";
  for (int a = quality ? 2 : 1; a < argc; ++a) {
    const divns::Dataset data = divns::Dataset::open(argv[a]);
    divns::measure(std::filesystem::path(argv[a]).stem().string(), data.train());
    if (quality) divns::measure_time_to_quality(data);
  }
}
