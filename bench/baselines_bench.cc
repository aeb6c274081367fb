// SPDX-License-Identifier: Apache-2.0
// Seconds to fit EASE and for one epoch of iALS, on one thread and on all cores, compared with
// OpenBLAS sgemm on one core in the same run. Only useful operations are counted: n^3 for an
// inverse of n items; for an epoch of iALS d^2 per pair and side (half of a symmetric sum) and d^3
// / 3 per system.
//
//   bench_baselines [DATASET...]     (prepared; without any, a synthetic one of 80,000 pairs)
#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "divns/aligned.h"
#include "divns/dataset.h"
#include "divns/evaluate.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "divns/stopwatch.h"
#include "models/registry.h"
#include "synth/synth.h"

namespace divns {
namespace {

constexpr int kEpochs = 4;
constexpr double kFactors = 64;

// GFLOP/s of one core: the best of several products of large square matrices.
double sgemm_rate() {
  constexpr int kSize = 1024;
  const AlignedVector<float> a(size_t{kSize} * kSize, 0.5F);
  AlignedVector<float> c(a.size());
  double best = 0;
  for (int round = 0; round < 8; ++round) {
    const Stopwatch watch;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0F, a.data(),
                kSize, a.data(), kSize, 0.0F, c.data(), kSize);
    best = std::max(best, 2e-9 * kSize * kSize * kSize / watch.seconds());
  }
  return best;
}

double operations(std::string_view model, const Interactions& train) {
  if (model == "ease") {
    const double items = train.item_count;
    return items * items * items;
  }
  const double systems = static_cast<double>(train.item_count) + train.users();
  return kEpochs * (4 * kFactors * kFactors * static_cast<double>(train.pairs()) / 2 +
                    systems * kFactors * kFactors * kFactors / 3);
}

void measure(std::string_view model, const Interactions& train, const Executor& executor,
             double limit) {
  const auto fitted = find_fitted_model(model)->make();
  Options options;
  fitted->declare(options);
  if (model == "ials") options.set("ials.epochs", std::to_string(kEpochs), OptionSource::kSet);
  Stopwatch watch;
  fitted->fit({train, executor});
  const double fit = watch.lap();
  const Scorer scorer = fitted->scorer();
  // The relevant pairs only determine which users are ranked.
  const Evaluation result = evaluate({.users = scorer.users,
                                      .items = scorer.items,
                                      .train = train,
                                      .relevant = train,
                                      .scores = scorer.source},
                                     executor);
  if (result.evaluated_users() == 0) std::abort();
  const double rate = operations(model, train) * 1e-9 / fit;
  fmt::print("| {} | {} | {:.2f} | {:.3f} | {:.1f} | {:.2f} | {:.2f} |\n", model,
             executor.threads(), fit, model == "ials" ? fit / kEpochs : fit, rate,
             rate / (limit * executor.threads()), watch.lap());
}

void measure_all(std::string_view name, const Interactions& train) {
  const double limit = sgemm_rate();
  fmt::print("\n{}: {} users, {} items, {} pairs; sgemm {:.1f} GFLOP/s per core\n\n", name,
             train.users(), train.item_count, train.pairs(), limit);
  fmt::print(
      "| model | threads | fit s | s per epoch | GFLOP/s | of sgemm | evaluation s |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const std::string_view model : {"ease", "ials"})
    for (const int threads : {1, 0}) measure(model, train, Executor(threads), limit);
}

}  // namespace
}  // namespace divns

int main(int argc, char** argv) {
  using namespace divns;
  for (int i = 1; i < argc; ++i) {
    const Dataset data = Dataset::open(argv[i]);
    measure_all(argv[i], data.train());
  }
  if (argc > 1) return 0;
  const SynthData data = generate_synth(synth_preset("demo"), Executor());
  measure_all("synthetic", data.interactions());
}
