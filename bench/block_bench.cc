// SPDX-License-Identifier: Apache-2.0
// Shared negatives: forward and backward of a batch of B rows with M negatives
// (train/score_block.h) beside OpenBLAS in the same run. Both count the same 6 B M d operations:
// scores, gradients of the users, gradients of the negatives. OpenBLAS computes the three products
// alone and stores B x M scores; the block also computes the loss and stores none. One thread each,
// by turns, processor time, medians.
//
//   bench_block [rounds] [B] [M] [d]
#include <cblas.h>
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "divns/options.h"
#include "divns/parallel.h"
#include "divns/random.h"
#include "divns/registry.h"
#include "train/score_block.h"

namespace divns {
namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds_of(Work&& work) {
  const double before = processor_seconds();
  work();
  return processor_seconds() - before;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Table random_unit_table(uint32_t rows, uint32_t dim, uint32_t stream) {
  Table table(rows, dim);
  Draws draws = Random(1, "bench block").draws(stream);
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t k = 0; k < dim; ++k)
      table.row(i)[k] = static_cast<float>(draws.normal() / std::sqrt(static_cast<double>(dim)));
  return table;
}

// The three products, with the scores in memory.
void by_openblas(const Table& users, const Table& items, std::vector<float>& scores, Table& by_user,
                 Table& by_item) {
  const auto rows = static_cast<int>(users.rows());
  const auto columns = static_cast<int>(items.rows());
  const auto dim = static_cast<int>(users.stride());
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, dim, 1, users.data(), dim,
              items.data(), dim, 0, scores.data(), columns);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, dim, columns, 1, scores.data(),
              columns, items.data(), dim, 0, by_user.data(), dim);
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, columns, dim, rows, 1, scores.data(),
              columns, users.data(), dim, 0, by_item.data(), dim);
}

void run(int rounds, uint32_t rows, uint32_t columns, uint32_t dim) {
  const uint32_t item_count = columns + 1;
  std::vector<uint64_t> offsets(rows + 1);
  std::iota(offsets.begin(), offsets.end(), uint64_t{0});
  const std::vector<uint32_t> owned(rows, columns);  // everybody has the last item
  const Interactions train{offsets, owned, item_count};
  const Table users = random_unit_table(rows, dim, 1);
  const Table items = random_unit_table(item_count, dim, 2);
  std::vector<uint32_t> ids(rows);
  std::iota(ids.begin(), ids.end(), 0U);
  const Batch batch{.users = ids, .positives = owned};
  SharedNegatives shared;
  shared.items.resize(columns);
  std::iota(shared.items.begin(), shared.items.end(), 0U);
  const Executor executor(1);
  Table negatives(columns, dim);
  std::copy_n(items.data(), negatives.size(), negatives.data());
  std::vector<float> scores(size_t{rows} * columns);
  Table by_user(rows, dim);
  Table by_item(columns, dim);
  const double flops = 6.0 * rows * columns * dim;

  fmt::print("B = {}, M = {}, d = {}, one thread, medians of {} rounds\n", rows, columns, dim,
             rounds);
  fmt::print("{:<10} {:>12} {:>14} {:>8}\n", "loss", "GFLOP/s", "sgemm GFLOP/s", "ratio");
  for (const char* name : {"softmax", "bpr", "bce", "ccl"}) {
    const auto loss = find_loss(name).make();
    loss->start({.train = train, .cosine = true, .shared_negatives = true});
    ScoreBlock block(*loss, train, dim, executor);
    std::vector<double> ours;
    std::vector<double> theirs;
    for (int round = 0; round <= rounds; ++round) {
      const double a = seconds_of([&] { by_openblas(users, negatives, scores, by_user, by_item); });
      const double b =
          seconds_of([&] { block.compute(batch, shared, {}, users.view(), items.view()); });
      if (round == 0) continue;
      theirs.push_back(a);
      ours.push_back(b);
    }
    fmt::print("{:<10} {:>12.1f} {:>14.1f} {:>8.2f}\n", name, flops / median(ours) * 1e-9,
               flops / median(theirs) * 1e-9, median(theirs) / median(ours));
  }
}

}  // namespace
}  // namespace divns

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) {
    return argc > i ? std::atoi(argv[i]) : otherwise;
  };
  divns::run(argument(1, 15), static_cast<uint32_t>(argument(2, 2048)),
             static_cast<uint32_t>(argument(3, 2048)), static_cast<uint32_t>(argument(4, 64)));
  return 0;
}
