// SPDX-License-Identifier: Apache-2.0
#include "train/spectral_start.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "divns/random.h"
#include "kernels/gemm.h"
#include "kernels/vectors.h"
#include "linalg/symmetric_eigen.h"
#include "models/graph.h"

namespace divns {
namespace {

// More vectors than wanted, and this many products with R^T R, separate the leading ones well.
constexpr uint32_t kMoreVectors = 16;
constexpr int kIterations = 8;
constexpr size_t kStartRowsPerChunk = 1024;
// Squared singular values below this share of the largest are rounding errors.
constexpr double kNegligible = 1e-9;

MatrixView part(const Table& table, size_t begin, size_t end) {
  return {table.row(begin), end - begin, table.dim(), table.stride()};
}

// T^T T, summed in float64 over chunks of rows in their order.
std::vector<double> gram(const Table& table, const Executor& executor) {
  const size_t n = table.dim();
  return executor.map_reduce(
      table.rows(), kStartRowsPerChunk, std::vector<double>(n * n, 0.0),
      [&](size_t begin, size_t end) {
        std::vector<float> product(n * n);
        const MatrixView rows = part(table, begin, end);
        gemm(rows.transposed(), rows, product.data(), n);
        return std::vector<double>(product.begin(), product.end());
      },
      [](std::vector<double> sum, const std::vector<double>& product) {
        for (size_t i = 0; i < sum.size(); ++i) sum[i] += product[i];
        return sum;
      });
}

// T <- T E, with E of n x n, row after row.
void multiply(Table& table, const std::vector<float>& e, const Executor& executor) {
  const size_t n = table.dim();
  executor.for_chunks(table.rows(), kStartRowsPerChunk, [&](size_t begin, size_t end) {
    std::vector<float> product((end - begin) * n);
    gemm(part(table, begin, end), {e.data(), n, n, n}, product.data(), n);
    for (size_t i = begin; i < end; ++i) std::copy_n(&product[(i - begin) * n], n, table.row(i));
  });
}

// The eigenvectors of the Gram matrix as columns, by descending value, column r times scale(value).
template <class Scale>
std::vector<float> eigenbasis(const SymmetricEigen& eigen, Scale&& scale) {
  const size_t n = eigen.values.size();
  std::vector<float> e(n * n);
  for (size_t r = 0; r < n; ++r) {
    const size_t from = n - 1 - r;
    const double factor = scale(std::max(eigen.values[from], 0.0));
    for (size_t i = 0; i < n; ++i)
      e[i * n + r] = static_cast<float>(factor * eigen.vectors[from * n + i]);
  }
  return e;
}

// Orthonormal columns with the same span.
void orthonormalise(Table& table, const Executor& executor) {
  const SymmetricEigen eigen =
      symmetric_eigen(gram(table, executor).data(), table.dim(), table.dim());
  const double least = kNegligible * eigen.values.back();
  multiply(table, eigenbasis(eigen, [&](double x) { return x > least ? 1 / std::sqrt(x) : 0.0; }),
           executor);
}

void fill_normal(const Random& random, Table& table, double deviation) {
  for (uint32_t i = 0; i < table.rows(); ++i) {
    Draws draws = random.draws(i);
    for (uint32_t k = 0; k < table.dim(); ++k)
      table.row(i)[k] = static_cast<float>(deviation * draws.normal());
  }
}

// The leading columns of `from`, scaled; where there is nothing, what `to` holds stays.
void copy_scaled(const Table& from, size_t rank, double deviation, Table& to) {
  double squares = 0;
  for (uint32_t i = 0; i < to.rows(); ++i)
    for (size_t k = 0; k < rank; ++k) squares += std::pow(double{from.row(i)[k]}, 2);
  if (squares == 0) return;
  const double root =
      std::sqrt(squares / (static_cast<double>(to.rows()) * static_cast<double>(rank)));
  const auto factor = static_cast<float>(deviation / root);
  for (uint32_t i = 0; i < to.rows(); ++i) {
    if (dot(from.row(i), from.row(i), from.stride()) == 0) continue;
    for (size_t k = 0; k < rank; ++k) to.row(i)[k] = factor * from.row(i)[k];
  }
}

}  // namespace

void spectral_start(const Interactions& train, const TrainConfig& config, Table& users,
                    Table& items, const Executor& executor) {
  const uint32_t width = users.dim() + kMoreVectors;
  const Graph graph(train, executor);
  Table x(users.rows(), width);
  Table y(items.rows(), width);
  const Graph::Product nothing{.source = {}, .wanted = {false, {}}};
  const auto to_users = [&] { graph.propagate(1, {.source = y.view(), .out = x.data()}, nothing); };
  fill_normal(Random(config.seed, "init.svd"), y, 1);
  for (int i = 0; i < kIterations; ++i) {
    orthonormalise(y, executor);
    to_users();
    graph.propagate(1, nothing, {.source = x.view(), .out = y.data()});
  }
  orthonormalise(y, executor);
  to_users();
  // x = R y, so that x^T x = E S^2 E^T gives R ~ (x E S^-1) S (y E)^T.
  const SymmetricEigen eigen = symmetric_eigen(gram(x, executor).data(), width, width);
  const double least = kNegligible * eigen.values.back();
  multiply(x, eigenbasis(eigen, [&](double s) { return s > least ? std::pow(s, -0.25) : 0.0; }),
           executor);
  multiply(y, eigenbasis(eigen, [](double s) { return std::pow(s, 0.25); }), executor);
  const auto rank =
      static_cast<size_t>(std::ranges::count_if(eigen.values, [&](double s) { return s > least; }));
  const size_t kept = std::min<size_t>(rank, users.dim());
  fill_normal(Random(config.seed, "init.users"), users, config.init_std);
  fill_normal(Random(config.seed, "init.items"), items, config.init_std);
  copy_scaled(x, kept, config.init_std, users);
  copy_scaled(y, kept, config.init_std, items);
}

}  // namespace divns
