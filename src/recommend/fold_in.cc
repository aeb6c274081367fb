// SPDX-License-Identifier: Apache-2.0
#include "recommend/fold_in.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "divns/random.h"
#include "linalg/solve.h"

namespace divns {
namespace {

using Matrix = std::vector<double>;  // dim x dim, lower triangle

void add_outer_product(const float* v, double weight, uint32_t dim, Matrix& sum) {
  for (uint32_t i = 0; i < dim; ++i)
    for (uint32_t j = 0; j <= i; ++j)
      sum[size_t{i} * dim + j] += weight * static_cast<double>(v[i]) * v[j];
}

// sum_i v_i v_i^T over all items, the same bits for any number of threads.
Matrix gram(const VectorTable& items, const Executor& executor) {
  const size_t size = size_t{items.dim} * items.dim;
  return executor.map_reduce(
      items.rows, 4096, Matrix(size, 0.0),
      [&](size_t begin, size_t end) {
        Matrix part(size, 0.0);
        for (size_t i = begin; i < end; ++i)
          add_outer_product(items.row(static_cast<uint32_t>(i)), 1, items.dim, part);
        return part;
      },
      [](Matrix a, const Matrix& b) {
        for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
      });
}

double mean_square(const Matrix& all, const VectorTable& items) {
  double trace = 0;
  for (uint32_t k = 0; k < items.dim; ++k) trace += all[size_t{k} * items.dim + k];
  return trace / std::max(items.rows, 1U);
}

// (sum_{i in H} v v^T + unobserved G + ridge s I) u = sum_{i in H} v
void ridge(const VectorTable& items, std::span<const uint32_t> history, const Matrix& all,
           const FoldInOptions& options, float* out) {
  const uint32_t dim = items.dim;
  Matrix a(size_t{dim} * dim);
  for (size_t i = 0; i < a.size(); ++i) a[i] = options.unobserved * all[i];
  const double diagonal = options.ridge * mean_square(all, items);
  for (uint32_t i = 0; i < dim; ++i) a[size_t{i} * dim + i] += diagonal;
  std::vector<double> b(dim, 0.0);
  for (const uint32_t item : history) {
    const float* v = items.row(item);
    add_outer_product(v, 1, dim, a);
    for (uint32_t k = 0; k < dim; ++k) b[k] += v[k];
  }
  if (!solve_positive_definite(a, b))
    fail("The ridge system of a history of {} items cannot be solved; are all item vectors finite?",
         history.size());
  for (uint32_t k = 0; k < dim; ++k) out[k] = static_cast<float>(b[k]);
}

// A uniform item outside the history; the history must not contain all items.
uint32_t draw_negative(std::span<const uint32_t> history, uint32_t items, Draws& draws) {
  while (true) {
    const uint32_t item = draws.below(items);
    if (!std::binary_search(history.begin(), history.end(), item)) return item;
  }
}

// u <- u + rate (sigmoid(u.(v_neg - v_pos)) (v_pos - v_neg) - l2 u), starting from the mean of the
// history's vectors.
void gradient(const VectorTable& items, std::span<const uint32_t> history, uint32_t user,
              const Random& random, const FoldInOptions& options, float* out) {
  const uint32_t dim = items.dim;
  std::vector<double> u(dim, 0.0);
  for (const uint32_t item : history)
    for (uint32_t k = 0; k < dim; ++k)
      u[k] += items.row(item)[k] / static_cast<double>(history.size());
  for (int step = 0; step < options.steps && history.size() < items.rows; ++step) {
    Draws draws = random.draws(static_cast<uint32_t>(step), user);
    for (const uint32_t item : history) {
      const float* positive = items.row(item);
      const float* negative = items.row(draw_negative(history, items.rows, draws));
      double x = 0;
      for (uint32_t k = 0; k < dim; ++k)
        x += u[k] * (static_cast<double>(negative[k]) - positive[k]);
      const double pull = 1 / (1 + std::exp(-x));
      for (uint32_t k = 0; k < dim; ++k)
        u[k] += options.learning_rate *
                (pull * (static_cast<double>(positive[k]) - negative[k]) - options.l2 * u[k]);
    }
  }
  for (uint32_t k = 0; k < dim; ++k) out[k] = static_cast<float>(u[k]);
}

}  // namespace

FoldIn::FoldIn(const VectorTable& items, const FoldInOptions& options, const Executor& executor)
    : items_(items), options_(options) {
  if (!(options.ridge > 0) || !(options.unobserved >= 0))
    fail("Fold-in needs ridge above 0 and unobserved at least 0; given are {} and {}.",
         options.ridge, options.unobserved);
  if (options.method == FoldInOptions::Method::kRidge) gram_ = gram(items, executor);
}

std::vector<float> FoldIn::vectors(const Interactions& histories, const Executor& executor) const {
  if (histories.item_count != items_.rows)
    fail("The histories have {} items, but there are vectors for {}.", histories.item_count,
         items_.rows);
  const Random random(options_.seed, "fold-in");
  std::vector<float> vectors(size_t{histories.users()} * items_.dim, 0.0F);
  executor.for_chunks(histories.users(), 16, [&](size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) {
      const auto user = static_cast<uint32_t>(n);
      const std::span<const uint32_t> history = histories.row(user);
      if (history.empty()) continue;
      float* out = &vectors[n * items_.dim];
      const bool by_ridge = options_.method == FoldInOptions::Method::kRidge;
      if (by_ridge)
        ridge(items_, history, gram_, options_, out);
      else
        gradient(items_, history, user, random, options_, out);
      if (!std::all_of(out, out + items_.dim, [](float value) { return std::isfinite(value); }))
        fail("Fold-in gave a vector that is not finite: {}",
             by_ridge ? "are all item vectors finite?"
                      : fmt::format("the learning rate {:g} is probably too large.",
                                    options_.learning_rate));
    }
  });
  return vectors;
}

std::vector<float> fold_in(const VectorTable& items, const Interactions& histories,
                           const FoldInOptions& options) {
  const Executor executor(options.threads);
  return FoldIn(items, options, executor).vectors(histories, executor);
}

}  // namespace divns
