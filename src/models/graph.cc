// SPDX-License-Identifier: Apache-2.0
#include "models/graph.h"

#include <algorithm>
#include <cmath>

#include "models/both_sides.h"

namespace divns {
namespace {

constexpr size_t kEdgesPerChunk = 8192;
// Fixed cost of a row, in units of the cost of an edge.
constexpr size_t kRowCost = 4;
constexpr size_t kChosenRowsPerChunk = 64;

std::vector<float> inverse_roots(std::span<const uint64_t> offsets) {
  std::vector<float> scale(offsets.size() - 1);
  for (size_t r = 0; r < scale.size(); ++r) {
    const auto degree = static_cast<double>(offsets[r + 1] - offsets[r]);
    scale[r] = degree > 0 ? static_cast<float>(1 / std::sqrt(degree)) : 0.0F;
  }
  return scale;
}

std::vector<float> by_edge(std::span<const uint32_t> columns, const std::vector<float>& scale) {
  std::vector<float> weights(columns.size());
  std::transform(columns.begin(), columns.end(), weights.begin(),
                 [&](uint32_t column) { return scale[column]; });
  return weights;
}

std::vector<uint32_t> balanced_chunks(std::span<const uint64_t> offsets) {
  std::vector<uint32_t> bounds = {0};
  size_t cost = 0;
  for (uint32_t row = 0; row + 1 < offsets.size(); ++row) {
    cost += offsets[row + 1] - offsets[row] + kRowCost;
    if (cost < kEdgesPerChunk && row + 2 < offsets.size()) continue;
    bounds.push_back(row + 1);
    cost = 0;
  }
  return bounds;
}

}  // namespace

Graph::Graph(const Interactions& train, const Executor& executor)
    : executor_(executor), by_item_(train) {
  const Interactions by_item = by_item_.view();
  const std::vector<float> user_scale = inverse_roots(train.offsets);
  const std::vector<float> item_scale = inverse_roots(by_item.offsets);
  to_users_ = {train.offsets, train.items, by_edge(train.items, item_scale), user_scale,
               balanced_chunks(train.offsets)};
  to_items_ = {by_item.offsets, by_item.items, by_edge(by_item.items, user_scale), item_scale,
               balanced_chunks(by_item.offsets)};
}

double Graph::Direction::share(std::span<const uint32_t> rows) const {
  uint64_t edges = 0;
  for (const uint32_t row : rows) edges += offsets[row + 1] - offsets[row];
  return columns.empty() ? 0 : static_cast<double>(edges) / static_cast<double>(columns.size());
}

size_t Graph::Direction::chunks(const Product& product) const {
  if (product.wanted.all) return chunk_bounds.size() - 1;
  return (product.wanted.rows.size() + kChosenRowsPerChunk - 1) / kChosenRowsPerChunk;
}

void Graph::Direction::run(const Product& product, size_t chunk) const {
  const SpmmProblem problem{.offsets = offsets.data(),
                            .columns = columns.data(),
                            .weights = weights.data(),
                            .row_scale = row_scale.data(),
                            .source = product.source,
                            .slots = product.slots,
                            .half_source = product.half_source,
                            .sum_weight = product.sum_weight,
                            .addends = product.addends,
                            .addend_slots = product.addend_slots,
                            .sums = product.sums,
                            .out = product.out,
                            .half_out = product.half_out};
  if (!product.wanted.all) {
    const size_t first = chunk * kChosenRowsPerChunk;
    spmm_rows(problem, product.wanted.rows.data() + first, 0,
              std::min(kChosenRowsPerChunk, product.wanted.rows.size() - first));
    return;
  }
  const uint32_t first = chunk_bounds[chunk];
  spmm_rows(problem, nullptr, first, chunk_bounds[chunk + 1] - first);
}

void Graph::propagate(size_t level, const Product& to_users, const Product& to_items) const {
  run_both_sides(
      executor_, level, to_users_.chunks(to_users), to_items_.chunks(to_items),
      [&](size_t chunk) { to_users_.run(to_users, chunk); },
      [&](size_t chunk) { to_items_.run(to_items, chunk); });
}

}  // namespace divns
