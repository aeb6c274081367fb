// SPDX-License-Identifier: Apache-2.0
#include "models/graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "models/both_sides.h"

namespace divns {
namespace {

constexpr size_t kEdgesPerChunk = 8192;
// Fixed cost of a row, in units of the cost of an edge.
constexpr size_t kRowCost = 4;
constexpr size_t kChosenRowsPerChunk = 64;
// Item rows that pass from rank to rank at a time, while the ranks before compute the next ones.
constexpr uint32_t kRowsPerMessage = 4096;
constexpr size_t kPassedRowsPerChunk = 128;

template <class Degree>
std::vector<float> inverse_roots(size_t rows, Degree&& degree_of) {
  std::vector<float> scale(rows);
  for (size_t r = 0; r < rows; ++r) {
    const auto degree = static_cast<double>(degree_of(r));
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

template <class Degree>
std::vector<uint32_t> balanced_chunks(uint32_t rows, Degree&& degree_of) {
  std::vector<uint32_t> bounds = {0};
  size_t cost = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    cost += degree_of(row) + kRowCost;
    if (cost < kEdgesPerChunk && row + 1 < rows) continue;
    bounds.push_back(row + 1);
    cost = 0;
  }
  return bounds;
}

std::vector<Transposed> transposed_blocks(const Interactions& train, const UserBlocks* blocks) {
  std::vector<Transposed> result;
  if (blocks == nullptr) result.emplace_back(train);
  for (size_t b = 0; blocks != nullptr && b + 1 < blocks->bounds.size(); ++b)
    result.emplace_back(train, blocks->bounds[b], blocks->bounds[b + 1]);
  return result;
}

}  // namespace

Graph::Graph(const Interactions& train, const Executor& executor, const UserBlocks* blocks)
    : executor_(executor),
      blocks_(blocks),
      by_item_(transposed_blocks(train, blocks)),
      user_chunks_(balanced_chunks(train.users(), [&](uint32_t u) { return train.row(u).size(); })),
      item_chunks_(balanced_chunks(train.item_count, [&](uint32_t i) {
        size_t degree = 0;
        for (const Transposed& block : by_item_) degree += block.view().row(i).size();
        return degree;
      })) {
  user_scales_ = inverse_roots(
      train.users(), [&](size_t user) { return train.row(static_cast<uint32_t>(user)).size(); });
  item_scales_ = inverse_roots(train.item_count, [&](size_t item) {
    return blocks != nullptr ? blocks->item_degrees[item]
                             : by_item_[0].view().row(static_cast<uint32_t>(item)).size();
  });
  to_users_ = {train.offsets, train.items, by_edge(train.items, item_scales_), user_scales_};
  for (const Transposed& block : by_item_) {
    const Interactions view = block.view();
    to_items_.push_back(
        {view.offsets, view.items, by_edge(view.items, user_scales_), item_scales_});
  }
}

double Graph::Direction::share(std::span<const uint32_t> rows) const {
  uint64_t edges = 0;
  for (const uint32_t row : rows) edges += offsets[row + 1] - offsets[row];
  return columns.empty() ? 0 : static_cast<double>(edges) / static_cast<double>(columns.size());
}

size_t Graph::Chunks::count(const Wanted& wanted) const {
  if (wanted.all) return bounds.size() - 1;
  return (wanted.rows.size() + kChosenRowsPerChunk - 1) / kChosenRowsPerChunk;
}

template <class Body>
void Graph::Chunks::visit(const Wanted& wanted, size_t chunk, Body&& body) const {
  if (wanted.all) return body(bounds[chunk], bounds[chunk + 1] - bounds[chunk]);
  const size_t first = chunk * kChosenRowsPerChunk;
  body(static_cast<uint32_t>(first), std::min(kChosenRowsPerChunk, wanted.rows.size() - first));
}

void Graph::Direction::run(const Product& product, uint32_t first, size_t count) const {
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
  if (product.wanted.all)
    spmm_rows(problem, nullptr, first, count);
  else
    spmm_rows(problem, product.wanted.rows.data() + first, 0, count);
}

// The blocks of this rank, one after another. Each block adds to what the blocks before it have
// left in `out`, those of lower ranks among them if the sum is continued.
void Graph::sum_blocks(const Product& product, uint32_t first, size_t count, bool continued) const {
  const SpmmAddend so_far{.rows = product.out};
  Product next = product;
  for (const Direction& block : to_items_) {
    if (continued) {
      next.addends = {&so_far, 1};
      next.addend_slots = nullptr;
    }
    block.run(next, first, count);
    continued = true;
  }
}

// Rows pass through the ranks in the order of their blocks; the last rank has the sums.
void Graph::sum_over_ranks(const Product& product) const {
  Communicator& ranks = *blocks_->ranks;
  const size_t stride = product.source.stride;
  const auto rows = static_cast<uint32_t>(item_scales_.size());
  const auto bytes_of = [&](uint32_t first, uint32_t count) {
    return std::as_writable_bytes(
        std::span(product.out + size_t{first} * stride, size_t{count} * stride));
  };
  Product all = product;
  all.wanted = {};
  for (uint32_t first = 0; first < rows; first += kRowsPerMessage) {
    const uint32_t count = std::min(kRowsPerMessage, rows - first);
    if (ranks.rank() > 0) ranks.receive(ranks.rank() - 1, bytes_of(first, count));
    executor_.for_chunks(count, kPassedRowsPerChunk, [&](size_t begin, size_t end) {
      sum_blocks(all, first + static_cast<uint32_t>(begin), end - begin, ranks.rank() > 0);
    });
    if (ranks.rank() + 1 < ranks.size()) ranks.send(ranks.rank() + 1, bytes_of(first, count));
  }
  ranks.broadcast(ranks.size() - 1, bytes_of(0, rows));
}

void Graph::propagate(size_t level, const Product& to_users, const Product& to_items) const {
  DIVNS_ASSERT(is_whole() || (to_items.sums == nullptr && to_items.half_out == nullptr));
  const auto users = [&](size_t chunk) {
    user_chunks_.visit(to_users.wanted, chunk, [&](uint32_t first, size_t count) {
      to_users_.run(to_users, first, count);
    });
  };
  if (blocks_ != nullptr && blocks_->ranks->size() > 1) {
    executor_.run(user_chunks_.count(to_users.wanted), [&](int, size_t chunk) { users(chunk); });
    return sum_over_ranks(to_items);
  }
  run_both_sides(executor_, level, user_chunks_.count(to_users.wanted),
                 item_chunks_.count(to_items.wanted), users, [&](size_t chunk) {
                   item_chunks_.visit(to_items.wanted, chunk, [&](uint32_t first, size_t count) {
                     sum_blocks(to_items, first, count, false);
                   });
                 });
}

}  // namespace divns
