// SPDX-License-Identifier: Apache-2.0
// The k-DPP engine compared with the published dense algorithm in the same run: ratios, not
// absolute times.
//   bench_dpp [grid] [exact] [selection] [loops]      (all of them without arguments)
// `selection` reads $DIVNS_DATA_DIR/ml-1m and amazon-beauty and is skipped if that is unset.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "divns/dpp.h"
#include "divns/random.h"
#include "divns/stopwatch.h"
#include "kernels/dpp_gains.h"
#include "kernels/row_dots.h"
#include "selection_workload.h"

extern "C" {
// OpenBLAS on one thread: the fastest dense implementation.
void cblas_dsyrk(int order, int uplo, int trans, int n, int k, double alpha, const double* a,
                 int lda, double beta, double* c, int ldc);
void cblas_dgemv(int order, int trans, int m, int n, double alpha, const double* a, int lda,
                 const double* x, int incx, double beta, double* y, int incy);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace divns::bench {
namespace {

constexpr uint32_t kDim = 64;

struct Vectors {
  AlignedVector<float> values;
  std::vector<double> quality;
  VectorTable table;
};

// Directions from 40 clusters, with qualities like those of the penalty.
Vectors clustered(uint32_t n) {
  Draws draws = Random(1, "bench.dpp").draws(n);
  std::vector<float> centres(40 * kDim);
  for (float& x : centres) x = static_cast<float>(draws.normal());
  Vectors made;
  made.values.resize(size_t{n} * kDim);
  for (uint32_t i = 0; i < n; ++i) {
    const float* const centre = &centres[size_t{draws.below(40)} * kDim];
    for (uint32_t c = 0; c < kDim; ++c)
      made.values[size_t{i} * kDim + c] = centre[c] + static_cast<float>(draws.normal());
    made.quality.push_back(0.5 + draws.uniform());
  }
  made.table = {made.values.data(), n, kDim, kDim};
  return made;
}

std::vector<double> dense_kernel(const Vectors& vectors) {
  const size_t n = vectors.table.rows;
  std::vector<double> rows(n * kDim), kernel(n * n);
  for (size_t i = 0; i < n; ++i) {
    const float* const v = vectors.table.row(static_cast<uint32_t>(i));
    double square = 0;
    for (size_t c = 0; c < kDim; ++c) square += static_cast<double>(v[c]) * v[c];
    for (size_t c = 0; c < kDim; ++c)
      rows[i * kDim + c] = vectors.quality[i] / std::sqrt(square) * v[c];
  }
  const int size = static_cast<int>(n);
  cblas_dsyrk(101, 121, 111, size, kDim, 1, rows.data(), kDim, 0, kernel.data(), size);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < i; ++j) kernel[i * n + j] = kernel[j * n + i];
  return kernel;
}

// The published greedy: the kernel, O(N^2 d), then incremental Cholesky, O(N k^2).
std::vector<uint32_t> dense_greedy(const Vectors& vectors, size_t k, double jitter) {
  const size_t n = vectors.table.rows;
  const std::vector<double> kernel = dense_kernel(vectors);
  std::vector<double> left(n), factor(k * n), along(k);
  for (size_t i = 0; i < n; ++i) left[i] = kernel[i * n + i] + jitter;
  std::vector<uint32_t> chosen;
  for (size_t t = 0; t < k; ++t) {
    const size_t best =
        static_cast<size_t>(std::max_element(left.begin(), left.end()) - left.begin());
    chosen.push_back(static_cast<uint32_t>(best));
    double* const row = &factor[t * n];
    std::copy_n(&kernel[best * n], n, row);
    for (size_t s = 0; s < t; ++s) along[s] = factor[s * n + best];
    if (t > 0)
      cblas_dgemv(101, 112, static_cast<int>(t), static_cast<int>(n), -1, factor.data(),
                  static_cast<int>(n), along.data(), 1, 1, row, 1);
    const double scale = 1 / std::sqrt(left[best]);
    for (size_t i = 0; i < n; ++i) {
      row[i] *= scale;
      left[i] -= row[i] * row[i];
    }
    left[best] = -1;
    for (const uint32_t i : chosen) left[i] = -1;
  }
  return chosen;
}

// Seconds of processor time, which other processes disturb less than wall time.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Medians of the processor times of several functions measured alternately, so that all see the
// same noise.
std::vector<double> medians(int rounds, const std::vector<std::function<void()>>& things) {
  std::vector<std::vector<double>> times(things.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < things.size(); ++i) {
      // Short functions are repeated within one measurement, because reading the clock takes time.
      double elapsed = 0;
      int repeats = 1;
      for (;; repeats *= 2) {
        const double begin = processor_seconds();
        for (int r = 0; r < repeats; ++r) things[i]();
        elapsed = processor_seconds() - begin;
        if (elapsed > 0.002) break;
      }
      times[i].push_back(elapsed / repeats);
    }
  std::vector<double> result;
  for (auto& list : times) {
    const auto middle = list.begin() + static_cast<ptrdiff_t>(list.size() / 2);
    std::nth_element(list.begin(), middle, list.end());
    result.push_back(*middle);
  }
  return result;
}

void run_grid() {
  fmt::print("Greedy, d = {}: dense kernel + incremental Cholesky (OpenBLAS) against the engine\n",
             kDim);
  fmt::print("{:>6} {:>5} {:>11} {:>11} {:>11} {:>11} {:>11} {:>8} {:>5}\n", "|C|", "k", "dense ms",
             "auto ms", "updates ms", "lazy ms", "cholesky ms", "speed-up", "same");
  for (const uint32_t n : {24U, 100U, 400U, 1000U, 4000U, 16000U}) {
    const Vectors vectors = clustered(n);
    size_t done = 0;
    for (const size_t wanted : {6U, 25U, 64U, 256U, 1000U}) {
      const size_t k = std::min<size_t>(wanted, n);
      if (k == done) continue;
      done = k;
      std::vector<uint32_t> dense, fast;
      const auto engine = [&](DppAlgorithm algorithm) {
        return [&, algorithm] {
          DppConfig config;
          config.algorithm = algorithm;
          fast = dpp_greedy(vectors.table, vectors.quality, k, config).items;
        };
      };
      const bool huge = n * k > 2000000;
      std::vector<std::function<void()>> things = {
          [&] { dense = dense_greedy(vectors, k, 1e-6); }, engine(DppAlgorithm::kAuto),
          engine(DppAlgorithm::kUpdates), engine(DppAlgorithm::kLazy)};
      if (!huge) things.push_back(engine(DppAlgorithm::kCholesky));
      const auto time = medians(huge ? 1 : 7, things);
      engine(DppAlgorithm::kAuto)();
      fmt::print("{:>6} {:>5} {:>11.3f} {:>11.3f} {:>11.3f} {:>11.3f} {:>11} {:>7.2f}x {:>5}\n", n,
                 k, time[0] * 1e3, time[1] * 1e3, time[2] * 1e3, time[3] * 1e3,
                 huge ? "-" : fmt::format("{:.3f}", time[4] * 1e3), time[0] / time[1],
                 dense == fast ? "yes" : "no");
      std::fflush(stdout);
    }
  }
}

void run_exact() {
  fmt::print("\nExact k-DPP, d = {}: dense eigendecomposition (LAPACK dsyevd) against the dual\n",
             kDim);
  fmt::print("{:>6} {:>5} {:>12} {:>10} {:>9}\n", "|C|", "k", "dense ms", "dual ms", "speed-up");
  for (const uint32_t n : {400U, 1000U, 4000U}) {
    const Vectors vectors = clustered(n);
    const std::vector<double> kernel = dense_kernel(vectors);
    std::vector<double> copy, values(n), work(1 + 6 * size_t{n} + 2 * size_t{n} * n);
    std::vector<int> iwork(3 + 5 * size_t{n});
    const int size = static_cast<int>(n), lwork = static_cast<int>(work.size()),
              liwork = static_cast<int>(iwork.size());
    int info = 0;
    const auto dense = [&] {
      copy = kernel;
      dsyevd_("V", "U", &size, copy.data(), &size, values.data(), work.data(), &lwork, iwork.data(),
              &liwork, &info);
    };
    uint64_t seed = 0;
    const auto dual = [&] { dpp_exact(vectors.table, vectors.quality, 50, ++seed); };
    const double slow = medians(n > 1000 ? 1 : 3, {dense})[0], fast = medians(5, {dual})[0];
    fmt::print("{:>6} {:>5} {:>12.1f} {:>10.2f} {:>8.0f}x\n", n, 50, slow * 1e3, fast * 1e3,
               slow / fast);
    std::fflush(stdout);
  }
}

void run_selection(const char* data) {
  fmt::print(
      "\nA whole DivNS selection: n = 10, k_u = train positives, vectors of a quick MF-BPR\n");
  const struct {
    const char* name;
    uint32_t m;
  } cases[] = {{"ml-1m", 6}, {"amazon-beauty", 4}};
  for (const auto& c : cases) {
    const auto work = make_selection_workload(
        fmt::format("{}/{}/interactions.tsv.gz", data, c.name), 10, c.m, 5, 1);
    std::vector<uint32_t> chosen(work.against.size()), counts(work.sizes.size());
    for (const int threads : {1, 2}) {
      DppSelector selector({}, threads);
      const auto select = [&] { selector.select(work.table(), work.sets(), chosen, counts); };
      select();
      double elapsed = 1e9, processor = 1e9;
      for (int round = 0; round < 5; ++round) {
        const Stopwatch watch;
        const double begin = processor_seconds();
        select();
        elapsed = std::min(elapsed, watch.seconds());
        processor = std::min(processor, processor_seconds() - begin);
      }
      uint64_t picks = 0;
      for (const uint32_t count : counts) picks += count;
      fmt::print(
          "{:>14} m {}: {} users, {} candidates, {} picks, {} thread(s): {:.3f} s, of the "
          "processors {:.3f} s (best of 5)\n",
          c.name, c.m, work.sizes.size(), work.candidates.size(), picks, threads, elapsed,
          processor);
      std::fflush(stdout);
    }
  }
}

#if defined(__x86_64__)
// Peak of the machine: fused multiply-adds of 8 floats in registers.
__attribute__((target("avx2,fma"))) double peak_multiply_adds(size_t count) {
  using Vector = float __attribute__((vector_size(32)));
  Vector x[10], a, b;
  for (int j = 0; j < 8; ++j) {
    a[j] = 0.999F;
    b[j] = 0.001F;
    for (auto& v : x) v[j] = 1;
  }
  for (size_t i = 0; i < count; i += 80)
    for (auto& v : x) asm volatile("vfmadd213ps %2, %1, %0" : "+x"(v) : "x"(a), "x"(b));
  double sum = 0;
  for (auto& v : x) sum += static_cast<double>(v[0]);
  return sum;
}
#endif

void run_loops() {
  fmt::print("\nInner loops, d = {}, in multiply-adds a nanosecond\n", kDim);
  const size_t n = 1500;
  AlignedVector<float> rows(n * kDim, 0.01F), history(36 * kDim, 0.01F), out(n),
      folded(kDim * kDim, 0.1F);
  AlignedVector<double> x(kDim, 0.1), result(n), m(kDim * kDim, 0.01), w(16 * kDim, 0.01);
  std::vector<uint32_t> index(n), version(n);
  for (size_t i = 0; i < n; ++i) index[i] = static_cast<uint32_t>(i);
  const struct {
    const char* name;
    double work;  // multiply-adds
    std::function<void()> run;
  } loops[] = {
#if defined(__x86_64__)
    {"peak, float32 (8 lanes)", 8e6, [] { peak_multiply_adds(8000000); }},
#endif
    {"frontier update, float32, rows in L1", 96.0 * kDim,
     [&] {
       subtract_squared_dots(rows.data(), kDim, index.data(), 96, history.data(), out.data());
     }},
    {"frontier update, float32, rows in L2", 1.0 * n * kDim,
     [&] {
       subtract_squared_dots(rows.data(), kDim, index.data(), n, history.data(), out.data());
     }},
    {"catching up on 24 picks, float32", 24.0 * n * kDim,
     [&] {
       std::fill(version.begin(), version.end(), 0U);
       std::fill(out.begin(), out.end(), 1e9F);
       catch_up(rows.data(), kDim, index.data(), n, history.data(), 24, 0, version.data(),
                out.data());
     }},
    {"quadratic forms, float32", n * (kDim * kDim / 2.0 + 8 * kDim),
     [&] { quadratic_forms(rows.data(), kDim, index.data(), n, folded.data(), out.data()); }},
    {"all residuals, float64 (form `updates`)", 1.0 * n * kDim,
     [&] { row_dots(rows.data(), kDim, n, x.data(), result.data()); }},
    {"M b, float64", 1.0 * kDim * kDim,
     [&] { row_dots(m.data(), kDim, kDim, x.data(), result.data()); }},
    {"M - W W^T, 16 columns, float64", 16.0 * kDim * kDim,
     [&] { subtract_outer_products(m.data(), kDim, w.data(), 16); }},
  };
  for (const auto& loop : loops)
    fmt::print("{:<42} {:>7.1f}\n", loop.name, loop.work / medians(15, {loop.run})[0] * 1e-9);
}

}  // namespace
}  // namespace divns::bench

int main(int argc, char** argv) {
  using namespace divns::bench;
  const auto asked = [&](const char* part) {
    return argc == 1 || std::any_of(argv + 1, argv + argc,
                                    [&](const char* a) { return std::strcmp(a, part) == 0; });
  };
  const char* const data = std::getenv("DIVNS_DATA_DIR");
  if (asked("loops")) run_loops();
  if (asked("grid")) run_grid();
  if (asked("exact")) run_exact();
  if (asked("selection") && data != nullptr) run_selection(data);
  return 0;
}
