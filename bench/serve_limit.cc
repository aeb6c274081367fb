// SPDX-License-Identifier: Apache-2.0
// Lists per second that the ranking kernel makes for one user at a time, every core at work, and
// microseconds of processor time per list: the limit of a server that answers each request by
// itself. For bench/serve.
//
//   serve_limit RUN DATASET K SECONDS
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

#include "divns/saved_run.h"
#include "divns/stopwatch.h"
#include "eval/ranking.h"

int main(int argc, char** argv) {
  using namespace divns;
  if (argc != 5) return 2;
  const SavedRun run = open_run(argv[1]);
  const Dataset data = run.open_dataset(argv[2]);
  const auto k = static_cast<uint32_t>(std::atoi(argv[3]));
  const double seconds = std::atof(argv[4]);
  const PackedItems items(run.model.item_vectors(), Executor());
  const std::clock_t start = std::clock();
  const std::vector<Interactions> masks = {data.train()};
  std::atomic<size_t> lists = 0;
  const int cores = Executor().threads();
  const Stopwatch watch;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < cores; ++t)
      threads.emplace_back([&, t] {
        const Executor alone(1);
        for (auto user = static_cast<uint32_t>(t); watch.seconds() < seconds; ++user) {
          const uint32_t row = user % run.model.users();
          items.rank({.users = run.model.user_vectors(),
                      .rows = std::span(&row, 1),
                      .masks = masks,
                      .k = k,
                      .tiles = 1},
                     alone, [&](int, size_t, std::span<const ScoredItem> list) {
                       lists += list.empty() ? 0 : 1;
                     });
        }
      });
  }
  const auto made = static_cast<double>(lists);
  const double processor = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{:.0f} {:.2f}\n", made / watch.seconds(), processor / made * 1e6);
}
