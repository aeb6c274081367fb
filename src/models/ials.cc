// SPDX-License-Identifier: Apache-2.0
#include "models/ials.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "data/transposed.h"
#include "divns/options.h"
#include "divns/random.h"
#include "kernels/cholesky.h"
#include "kernels/gemm.h"
#include "kernels/vectors.h"

namespace divns {
namespace {

constexpr size_t kGramRows = 1024;       // rows of a table per partial sum
constexpr size_t kSmallSystem = 512;     // dimension up to which a chunk holds several systems
constexpr size_t kSystemsPerChunk = 16;  // of small ones; a stop is noticed between two chunks
constexpr size_t kGathered = 256;        // vectors summed at a time
constexpr size_t kStrip = 24;            // rows of a system per product

// out += X^T X for the upper triangle, strip by strip; the rest of each strip is written as well.
void add_gram(const float* x, size_t rows, size_t dim, size_t stride, float* out) {
  const MatrixView all = {x, rows, dim, stride};
  for (size_t first = 0; first < dim; first += kStrip) {
    const size_t strip = std::min(kStrip, dim - first);
    gemm(all.part(0, rows, first, strip).transposed(), all.part(0, rows, first, dim - first),
         out + first * stride + first, stride, true);
  }
}

// scale * X^T X: float32 within 1024 rows, float64 across them.
std::vector<float> scaled_gram(const Table& x, double scale, const Executor& executor) {
  const size_t size = size_t{x.dim()} * x.stride();
  const std::vector<double> sum = executor.map_reduce(
      x.rows(), kGramRows, std::vector<double>(size),
      [&](size_t begin, size_t end) {
        std::vector<float> part(size);
        add_gram(x.row(begin), end - begin, x.dim(), x.stride(), part.data());
        return std::vector<double>(part.begin(), part.end());
      },
      [](std::vector<double> total, const std::vector<double>& part) {
        std::transform(total.begin(), total.end(), part.begin(), total.begin(), std::plus<>());
        return total;
      });
  std::vector<float> result(size);
  std::transform(sum.begin(), sum.end(), result.begin(),
                 [&](double value) { return static_cast<float>(scale * value); });
  return result;
}

// Scratch of one thread to set up and solve the system A x = b of a row.
struct System {
  System(size_t dim, size_t stride) : a(dim * stride), gathered(kGathered * stride) {}
  AlignedVector<float> a;
  AlignedVector<float> gathered;
};

}  // namespace

void IalsOptions::declare(Options& options) {
  options.add("ials.factors", factors, "embedding dimension").range(1, 4096);
  options.add("ials.epochs", epochs, "maximal number of epochs; an epoch solves both sides once")
      .range(1);
  options.add("ials.alpha0", alpha0, "weight of the unobserved pairs").above(0).tune_log(0.003, 1);
  options.add("ials.l2", l2, "weight of the L2 penalty").above(0).tune_log(1e-3, 1);
  options.add("ials.nu", nu, "exponent by which l2 grows with the number of pairs; 0 for constant")
      .range(0, 2)
      .tune_linear(0, 1);
  options.add("ials.init_std", init_std, "typical length of an initial item vector").above(0);
  options
      .add("ials.patience", patience,
           "number of epochs without a better validation before fitting stops; 0 for never")
      .range(0);
}

void solve_ials_rows(const IalsOptions& options, const Interactions& pairs, const Table& fixed,
                     Table& solved, const Executor& executor) {
  const size_t dim = fixed.dim();
  const size_t stride = fixed.stride();
  const std::vector<float> gram = scaled_gram(fixed, options.alpha0, executor);
  std::vector<System> systems;
  for (int w = 0; w < executor.threads(); ++w) systems.emplace_back(dim, stride);
  size_t longest = 0;
  for (uint32_t r = 0; r < pairs.users(); ++r) longest = std::max(longest, pairs.row(r).size());
  const std::vector<float> ones(longest, 1.0F);

  // A = alpha0 H^T H + sum over the row's pairs of h h^T + l2 (|row| + alpha0 n)^nu I,
  // b = sum over the row's pairs of h.
  const auto solve = [&](System& system, uint32_t r) {
    const std::span<const uint32_t> row = pairs.row(r);
    float* x = solved.row(r);
    gather_sum(fixed.view(), row.data(), ones.data(), row.size(), x);
    if (row.empty()) return;
    std::copy(gram.begin(), gram.end(), system.a.begin());
    for (size_t first = 0; first < row.size(); first += kGathered) {
      const size_t count = std::min(kGathered, row.size() - first);
      for (size_t j = 0; j < count; ++j)
        std::copy_n(fixed.row(row[first + j]), stride, &system.gathered[j * stride]);
      add_gram(system.gathered.data(), count, dim, stride, system.a.data());
    }
    const double pull =
        options.l2 *
        std::pow(static_cast<double>(row.size()) + options.alpha0 * fixed.rows(), options.nu);
    for (size_t k = 0; k < dim; ++k) system.a[k * stride + k] += static_cast<float>(pull);
    if (!cholesky_solve(system.a.data(), dim, stride, x))
      fail(
          "iALS could not solve for a vector with ials.l2 = {:g}: the system is singular to "
          "float32 precision. Raise ials.l2.",
          options.l2);
  };
  executor.for_chunks_with_worker(pairs.users(), dim <= kSmallSystem ? kSystemsPerChunk : 1,
                                  [&](int worker, size_t begin, size_t end) {
                                    for (size_t r = begin; r < end; ++r)
                                      solve(systems[static_cast<size_t>(worker)],
                                            static_cast<uint32_t>(r));
                                  });
}

namespace {

class Ials final : public FittedModel {
 public:
  void declare(Options& options) override { options_.declare(options); }

  FitReport fit(const FitContext& context) override {
    const Transposed by_item(context.train);
    const auto dim = static_cast<uint32_t>(options_.factors);
    users_ = Table(context.train.users(), dim);
    items_ = Table(context.train.item_count, dim);
    draw_items(context.seed);
    FitReport report;
    Table best_users;
    Table best_items;
    const auto epochs = static_cast<uint32_t>(options_.epochs);
    const auto patience = static_cast<uint32_t>(options_.patience);
    while (report.epochs < epochs) {
      solve_ials_rows(options_, context.train, items_, users_, context.executor);
      solve_ials_rows(options_, by_item.view(), users_, items_, context.executor);
      const uint32_t epoch = report.epochs++;
      if (context.on_progress) context.on_progress(static_cast<double>(report.epochs) / epochs);
      if (!context.validate) continue;
      const double metric = context.validate(scorer());
      if (!report.validated || metric > report.best_metric) {
        report = {report.epochs, true, metric, epoch};
        best_users = users_;
        best_items = items_;
      }
      if (patience > 0 && epoch - report.best_epoch >= patience) break;
    }
    if (report.validated) {
      users_ = std::move(best_users);
      items_ = std::move(best_items);
    }
    return report;
  }

  Scorer scorer() const override { return {users_.view(), items_.view()}; }

 private:
  // Users are solved first, so only items are initialised.
  void draw_items(uint64_t seed) {
    const Random random(seed, "ials.items");
    const double deviation = options_.init_std / std::sqrt(options_.factors);
    for (uint32_t item = 0; item < items_.rows(); ++item) {
      Draws draws = random.draws(item);
      for (uint32_t k = 0; k < items_.dim(); ++k)
        items_.row(item)[k] = static_cast<float>(deviation * draws.normal());
    }
  }

  IalsOptions options_;
  Table users_;
  Table items_;
};

}  // namespace

std::unique_ptr<FittedModel> make_ials() {
  return std::make_unique<Ials>();
}

}  // namespace divns
