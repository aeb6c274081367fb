// SPDX-License-Identifier: Apache-2.0
// Seconds of a full-ranking evaluation (scores, masks, top 50, metrics at 10, 20 and 50) at the
// shapes of known datasets, compared with OpenBLAS sgemm computing the same scores and discarding
// them. Rates and the ratio use processor time, which a busy machine disturbs less than wall time.
//
//   bench_eval [threads] [maximal users per shape] [repetitions] [shape]
#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "divns/aligned.h"
#include "divns/evaluate.h"
#include "divns/parallel.h"
#include "divns/random.h"
#include "divns/stopwatch.h"

namespace divns {
namespace {

constexpr uint32_t kDim = 64;

struct Shape {
  const char* name;
  uint32_t users;
  uint32_t items;
  uint32_t pairs_a_user;
};

AlignedVector<float> normal_table(uint32_t rows, std::string_view purpose) {
  AlignedVector<float> table(size_t{rows} * kDim);
  const Random random(1, purpose);
  for (uint32_t row = 0; row < rows; ++row) {
    Draws draws = random.draws(row);
    for (uint32_t k = 0; k < kDim; ++k)
      table[size_t{row} * kDim + k] = static_cast<float>(draws.normal());
  }
  return table;
}

struct Pairs {
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> items;
  uint32_t item_count;

  Pairs(uint32_t users, uint32_t count, uint32_t each, std::string_view purpose)
      : item_count(count) {
    const Random random(2, purpose);
    std::vector<uint32_t> row(each);
    for (uint32_t user = 0; user < users; ++user) {
      Draws draws = random.draws(user);
      sample_without_replacement(draws, count, row);
      std::sort(row.begin(), row.end());
      items.insert(items.end(), row.begin(), row.end());
      offsets.push_back(items.size());
    }
  }
  Interactions view() const { return {offsets, items, item_count}; }
};

struct Times {
  std::vector<double> wall;
  std::vector<double> processor;  // sum over all threads

  template <class Action>
  void add(Action&& action) {
    const Stopwatch watch;
    const std::clock_t start = std::clock();
    action();
    processor.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    wall.push_back(watch.seconds());
  }
};

// Computes all scores in blocks of user_block x item_block.
void sgemm(const AlignedVector<float>& users, uint32_t user_count,
           const AlignedVector<float>& items, uint32_t item_count, uint32_t user_block,
           uint32_t item_block, std::vector<AlignedVector<float>>& scores,
           const Executor& executor) {
  executor.for_chunks_with_worker(
      user_count, user_block, [&](int worker, size_t begin, size_t end) {
        for (uint32_t first = 0; first < item_count; first += item_block) {
          const uint32_t width = std::min(item_block, item_count - first);
          cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(end - begin),
                      static_cast<int>(width), kDim, 1.0F, &users[begin * kDim], kDim,
                      &items[size_t{first} * kDim], kDim, 0.0F,
                      scores[static_cast<size_t>(worker)].data(), static_cast<int>(width));
        }
      });
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void run(const Shape& shape, uint32_t most_users, int repetitions, const Executor& executor) {
  const uint32_t users = std::min(shape.users, most_users);
  const AlignedVector<float> user_table = normal_table(users, "users");
  const AlignedVector<float> item_table = normal_table(shape.items, "items");
  const Pairs train(users, shape.items, shape.pairs_a_user, "train");
  const Pairs test(users, shape.items, std::max(1U, shape.pairs_a_user / 4), "test");
  const EvaluationRequest request = {.users = {user_table.data(), users, kDim, kDim},
                                     .items = {item_table.data(), shape.items, kDim, kDim},
                                     .train = train.view(),
                                     .relevant = test.view(),
                                     .cutoffs = {10, 20, 50},
                                     .details = true};
  // The best blocking for OpenBLAS depends on the shape: use the best of four.
  struct Blocking {
    uint32_t users, items;
  };
  const std::vector<Blocking> blockings = {
      {48, shape.items}, {256, 512}, {384, 2048}, {1024, shape.items}};
  Times ours;
  std::vector<Times> theirs(blockings.size());
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    ours.add([&] {
      if (evaluate(request, executor).evaluated_users() != users) std::abort();
    });
    for (size_t b = 0; b < blockings.size(); ++b) {
      std::vector<AlignedVector<float>> scores(static_cast<size_t>(executor.threads()));
      for (auto& block : scores) block.resize(size_t{blockings[b].users} * blockings[b].items);
      theirs[b].add([&] {
        sgemm(user_table, users, item_table, shape.items, blockings[b].users, blockings[b].items,
              scores, executor);
      });
    }
  }
  double sgemm_processor = median(theirs[0].processor);
  for (const Times& times : theirs)
    sgemm_processor = std::min(sgemm_processor, median(times.processor));
  const double processor = median(ours.processor);
  const double flops = 2.0 * kDim * users * shape.items;
  fmt::print("{:<16} {:>7} {:>7} {:>9.3f} {:>9.3f} {:>9.1f} {:>9.1f} {:>7.2f}\n", shape.name, users,
             shape.items, median(ours.wall), processor, flops / processor * 1e-9,
             flops / sgemm_processor * 1e-9, sgemm_processor / processor);
}

}  // namespace
}  // namespace divns

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 0;
  const uint32_t most_users = argc > 2 ? static_cast<uint32_t>(std::atoi(argv[2])) : 40000;
  const int repetitions = argc > 3 ? std::atoi(argv[3]) : 3;
  const divns::Executor executor(threads);
  fmt::print("d = {}, {} threads, medians of {}\n", divns::kDim, executor.threads(), repetitions);
  fmt::print("{:<16} {:>7} {:>7} {:>9} {:>9} {:>9} {:>9} {:>7}\n", "shape", "users", "items",
             "wall s", "cpu s", "GFLOP/s", "sgemm", "ratio");
  const std::vector<divns::Shape> shapes = {{"ml-1m", 6040, 3706, 115},
                                            {"amazon-beauty", 22363, 12101, 6},
                                            {"pinterest-part", 37501, 9836, 18},
                                            {"gowalla", 29858, 40981, 27},
                                            {"yelp2022-scale", 287116, 148523, 11}};
  for (const divns::Shape& shape : shapes)
    if (argc <= 4 || shape.name == std::string(argv[4]))
      divns::run(shape, most_users, repetitions, executor);
}
