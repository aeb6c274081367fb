// SPDX-License-Identifier: Apache-2.0
#include "models/graph.h"

#include <algorithm>
#include <cmath>

namespace divns {
namespace {

constexpr size_t kEdgesPerChunk = 8192;
// A row costs something even without edges: about what these many edges cost.
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

}  // namespace

Graph::Graph(const Interactions& train, const Executor& executor)
    : executor_(executor), by_item_(train) {
  const Interactions by_item = by_item_.view();
  to_users_ = {train.offsets, train.items, balanced_chunks(train.offsets)};
  to_items_ = {by_item.offsets, by_item.items, balanced_chunks(by_item.offsets)};
  user_scale_ = inverse_roots(train.offsets);
  item_scale_ = inverse_roots(by_item.offsets);
}

std::vector<uint32_t> Graph::balanced_chunks(std::span<const uint64_t> offsets) {
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

void Graph::propagate(const Source& users, const Source& items, const Wanted& wanted_users,
                      const Wanted& wanted_items, Target user_out, Target item_out) const {
  const auto half = [](const Target& target) {
    return target.half != nullptr ? target.half->data() : nullptr;
  };
  struct Side {
    const Direction& direction;
    const Wanted& wanted;
    SpmmProblem problem;

    size_t chunks() const {
      if (wanted.all) return direction.chunk_bounds.size() - 1;
      return (wanted.rows.size() + kChosenRowsPerChunk - 1) / kChosenRowsPerChunk;
    }
    void run(size_t chunk) const {
      if (wanted.all) {
        const uint32_t first = direction.chunk_bounds[chunk];
        spmm_rows(problem, nullptr, first, direction.chunk_bounds[chunk + 1] - first);
        return;
      }
      const size_t first = chunk * kChosenRowsPerChunk;
      spmm_rows(problem, wanted.rows.data() + first, 0,
                std::min(kChosenRowsPerChunk, wanted.rows.size() - first));
    }
  };
  const Side sides[] = {
      {to_users_,
       wanted_users,
       {to_users_.offsets.data(), to_users_.columns.data(), user_scale_.data(), item_scale_.data(),
        items.table, items.slots, user_out.table.data(), items.half, half(user_out)}},
      {to_items_,
       wanted_items,
       {to_items_.offsets.data(), to_items_.columns.data(), item_scale_.data(), user_scale_.data(),
        users.table, users.slots, item_out.table.data(), users.half, half(item_out)}}};
  const size_t user_chunks = sides[0].chunks();
  executor_.run(user_chunks + sides[1].chunks(), [&](int, size_t chunk) {
    if (chunk < user_chunks)
      sides[0].run(chunk);
    else
      sides[1].run(chunk - user_chunks);
  });
}

}  // namespace divns
