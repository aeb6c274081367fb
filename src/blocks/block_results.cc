// SPDX-License-Identifier: Apache-2.0
// Validation of a training over blocks, and its result.
#include <algorithm>
#include <utility>

#include "blocks/block_trainer.h"
#include "numerics/unit_rows.h"

namespace divns {
namespace {

// The vectors that are scored: those of the table, or of unit length in `unit`.
VectorTable scored(const VectorTable& table, bool unit_length, const Executor& executor,
                   Table& unit) {
  if (!unit_length) return table;
  unit_rows(table, executor, unit);
  return unit.view();
}

void make_unit(BlockStore& store, const Executor& executor) {
  const VectorTable rows = store.view(0);
  executor.for_chunks(rows.rows, 512, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      unit_row(store.row(0, 0, i), store.row(0, 0, i), rows.stride);
  });
}

}  // namespace

// The parameters of all items, by their numbers: on rank `root`, or on every rank if root is -1.
Table BlockTrainer::all_items(BlockStore& store, const ItemParts& parts, int root) {
  const bool wanted = root < 0 || root == ranks_.rank();
  Table all(wanted ? training_.train.item_count : 0, static_cast<uint32_t>(config_.embedding_dim));
  for (uint32_t part = 0; part < parts.parts(); ++part) {
    const int home = items_.home(part);
    const bool here = home == ranks_.rank();
    Table received;
    if (wanted && !here)
      received = Table(parts.rows(part), static_cast<uint32_t>(config_.embedding_dim));
    const std::span<float> rows =
        here ? store.values(part, 0) : std::span(received.data(), received.size());
    if (root < 0) {
      ranks_.broadcast(home, std::as_writable_bytes(rows));
    } else if (home != root) {
      if (here) ranks_.send(root, std::as_bytes(rows));
      if (wanted) ranks_.receive(home, std::as_writable_bytes(rows));
    }
    if (wanted)
      for (uint32_t row = 0; row < parts.rows(part); ++row)
        std::copy_n(rows.data() + size_t{row} * all.stride(), all.stride(),
                    all.row(parts.items_of(part)[row]));
    if (here) store.set_aside(part);
  }
  return all;
}

// Each rank validates its own users against all items.
void BlockTrainer::validate(EpochReport& report) {
  if (training_.validate && config_.validates_after(report.epoch)) {
    Table raw = all_items(items_.store(), parts_, -1);
    Table unit_items;
    const VectorTable items =
        scored(raw.view(), config_.objective.scales_items(), executor_, unit_items);
    std::vector<float> mine;
    for (uint32_t block = 0; block < user_blocks(); ++block) {
      if (!is_mine(block)) continue;
      Table unit_users;
      const VectorTable users =
          scored(users_.view(block), config_.objective.scales_users(), executor_, unit_users);
      const std::vector<float> values = training_.validate(ranges_[block], users, items);
      mine.insert(mine.end(), values.begin(), values.end());
      users_.set_aside(block);
    }
    add_validation(mine, report);
  }
  report.best_metric = stopping_.best();
  report.best_epoch = stopping_.best_epoch();
}

void BlockTrainer::keep_best() {
  const auto keep = [&](BlockStore& from, uint32_t block, BlockStore& to) {
    RowState copy = to.fresh(block);
    std::ranges::copy(from.values(block, 0), copy.parameters.data());
    to.put(block, std::move(copy));
    from.set_aside(block);
  };
  allocate_best();
  for (uint32_t block = 0; block < user_blocks(); ++block)
    if (is_mine(block)) keep(users_, block, best_users_);
  for (uint32_t part = 0; part < parts_.parts(); ++part)
    if (items_.is_home(part)) keep(items_.store(), part, best_items_);
}

void BlockTrainer::allocate_best() {
  if (best_users_.blocks() > 0) return;
  const auto dim = static_cast<uint32_t>(config_.embedding_dim);
  std::vector<uint32_t> users;
  for (uint32_t block = 0; block < user_blocks(); ++block) users.push_back(users_.rows(block));
  std::vector<uint32_t> items;
  for (uint32_t part = 0; part < parts_.parts(); ++part) items.push_back(parts_.rows(part));
  best_users_ = BlockStore(users, dim, 1, training_.scratch);
  best_items_ = BlockStore(items, dim, 1, training_.scratch);
}

// All vectors on rank 0, in the order of their numbers.
EpochTrainer::Vectors BlockTrainer::assemble() {
  const bool best = stopping_.seen();
  const auto dim = static_cast<uint32_t>(config_.embedding_dim);
  BlockStore& users = best ? best_users_ : users_;
  const ItemParts parts(training_.train.item_count, parts_.parts(), config_.seed,
                        best ? stopping_.best_epoch() : std::max(epochs_done_, 1U) - 1);
  Table items = all_items(best ? best_items_ : items_.store(), parts, 0);
  if (leads()) {
    final_items_ = BlockStore({training_.train.item_count}, dim, 1);
    final_items_.put(0, {.parameters = std::move(items), .m = {}, .v = {}});
    final_users_ = BlockStore({training_.train.users()}, dim, 1, training_.scratch);
    final_users_.put(0, final_users_.fresh(0));
  }
  for (uint32_t block = 0; block < user_blocks(); ++block) {
    const int owner = schedule_.rank_of_user_block(block);
    if (owner != 0 && is_mine(block)) ranks_.send(0, std::as_bytes(users.values(block, 0)));
    if (!leads()) continue;
    const std::span<float> rows = final_users_.values(0, 0).subspan(
        size_t{ranges_[block].first} * padded(dim), size_t{ranges_[block].size()} * padded(dim));
    if (owner == 0)
      std::ranges::copy(users.values(block, 0), rows.begin());
    else
      ranks_.receive(owner, std::as_writable_bytes(rows));
  }
  if (!leads()) return {};
  if (config_.objective.scales_users()) make_unit(final_users_, executor_);
  if (config_.objective.scales_items()) make_unit(final_items_, executor_);
  return {final_users_.view(0), final_items_.view(0)};
}

}  // namespace divns
