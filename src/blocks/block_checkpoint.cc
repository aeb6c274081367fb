// SPDX-License-Identifier: Apache-2.0
// The state of a training over blocks between two epochs. It names blocks, not ranks, so any number
// of ranks can continue it. Rank 0 alone reads and writes it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/check.h"
#include "blocks/block_trainer.h"

namespace divns {

// What the ranks must agree on.
struct BlockTrainer::SharedState {
  uint64_t steps = 0;
  uint64_t remembered = 0;  // items per pair
  double best = 0;
  uint32_t epochs_done = 0;
  uint32_t seen_best = 0;
  uint32_t best_epoch = 0;
  uint32_t last_epoch = 0;
};

// visit(store, block, owner, name) for every block that is saved.
template <class Visit>
void BlockTrainer::for_saved_blocks(Visit&& visit) {
  const auto visit_sides = [&](BlockStore& users, BlockStore& items, const char* prefix) {
    for (uint32_t block = 0; block < user_blocks(); ++block)
      visit(users, block, schedule_.rank_of_user_block(block),
            fmt::format("{}users.{}", prefix, block));
    for (uint32_t part = 0; part < parts_.parts(); ++part)
      visit(items, part, items_.home(part), fmt::format("{}items.{}", prefix, part));
  };
  visit_sides(users_, items_.store(), "");
  if (stopping_.seen()) visit_sides(best_users_, best_items_, "best.");
}

void BlockTrainer::save(TensorWriter& out) {
  announce(Command::kSave);
  const SharedState state{.steps = steps_,
                          .remembered = remembered_.each(),
                          .best = stopping_.best(),
                          .epochs_done = epochs_done_,
                          .seen_best = stopping_.seen() ? 1U : 0U,
                          .best_epoch = stopping_.best_epoch(),
                          .last_epoch = stopping_.last_epoch()};
  const uint64_t counts[] = {state.steps,     state.remembered, state.epochs_done,
                             state.seen_best, state.best_epoch, state.last_epoch};
  out.set_prefix("blocks.");
  out.add_copy("counts", std::span<const uint64_t>(counts));
  out.add_copy("best", std::span<const double>(&state.best, 1));
  collect(&out);
  out.set_prefix("");
}

// Brings the blocks of all ranks to rank 0, which adds them to `out`.
void BlockTrainer::collect(TensorWriter* out) {
  for_saved_blocks([&](BlockStore& store, uint32_t block, int owner, const std::string& name) {
    if (owner != 0) {
      if (leads()) receive_block(ranks_, owner, store, block);
      if (owner == ranks_.rank()) send_block(ranks_, 0, store, block);
    }
    for (size_t table = 0; out != nullptr && table < store.tables(); ++table)
      out->add(fmt::format("{}.{}", name, table),
               std::span<const float>(store.values(block, table)));
    store.set_aside(block);
  });
  if (remembered_.each() == 0) return;
  for (uint32_t block = 0; block < user_blocks(); ++block) {
    const int owner = schedule_.rank_of_user_block(block);
    const std::string name = fmt::format("remembered.{}", block);
    if (owner == 0) {
      if (out != nullptr)
        out->add(name, std::span<const uint32_t>(remembered_.last_epoch(ranges_[block])));
    } else if (owner == ranks_.rank()) {
      ranks_.send(0, std::as_bytes(remembered_.last_epoch(ranges_[block])));
    } else if (out != nullptr) {
      std::vector<uint32_t> items(pairs_of(block) * remembered_.each());
      ranks_.receive(owner, std::as_writable_bytes(std::span(items)));
      out->add_copy(name, std::span<const uint32_t>(items));
    }
  }
}

// Rank 0 has them after a checkpoint.
void BlockTrainer::drop_blocks_of_others() {
  if (ranks_.size() == 1) return;
  for_saved_blocks([&](BlockStore& store, uint32_t block, int owner, const std::string& /*name*/) {
    if (owner != ranks_.rank() && !store.on_disk()) store.take(block);
  });
}

void BlockTrainer::load(const TensorReader& in) {
  announce(Command::kLoad);
  const TensorReader blocks = in.with_prefix("blocks.");
  distribute(&blocks);
}

void BlockTrainer::distribute(const TensorReader* in) {
  SharedState state;
  if (in != nullptr) {
    uint64_t counts[6];
    in->read("counts", std::span<uint64_t>(counts));
    in->read("best", std::span(&state.best, 1));
    state.steps = counts[0];
    state.remembered = counts[1];
    state.epochs_done = static_cast<uint32_t>(counts[2]);
    state.seen_best = static_cast<uint32_t>(counts[3]);
    state.best_epoch = static_cast<uint32_t>(counts[4]);
    state.last_epoch = static_cast<uint32_t>(counts[5]);
    constexpr uint64_t kMostRemembered = uint64_t{1} << 20;
    if (state.remembered > kMostRemembered)
      fail("{} is damaged: it remembers {} items per pair.", in->file_name(), state.remembered);
  }
  ranks_.broadcast(0, std::as_writable_bytes(std::span(&state, 1)));
  steps_ = state.steps;
  epochs_done_ = state.epochs_done;
  stopping_.restore(state.seen_best != 0, state.best, state.best_epoch, state.last_epoch);
  if (stopping_.seen()) allocate_best();
  parts_ = ItemParts(training_.train.item_count, parts_.parts(), config_.seed,
                     std::max(epochs_done_, 1U) - 1);
  for_saved_blocks([&](BlockStore& store, uint32_t block, int owner, const std::string& name) {
    if (in != nullptr) {
      store.put(block, store.fresh(block));
      for (size_t table = 0; table < store.tables(); ++table)
        in->read(fmt::format("{}.{}", name, table), store.values(block, table));
    }
    if (owner == 0) return;
    if (leads()) send_block(ranks_, owner, store, block);
    if (leads()) store.take(block);
    if (owner == ranks_.rank()) receive_block(ranks_, 0, store, block);
  });
  if (state.remembered == 0) return;
  remembered_.start(state.remembered);
  for (uint32_t block = 0; block < user_blocks(); ++block) {
    const int owner = schedule_.rank_of_user_block(block);
    std::vector<uint32_t> items;
    if (leads() || owner == ranks_.rank()) items.resize(pairs_of(block) * state.remembered);
    if (in != nullptr) read_remembered(*in, block, items);
    if (owner != 0 && leads()) ranks_.send(owner, std::as_bytes(std::span(items)));
    if (owner != ranks_.rank()) continue;
    if (owner != 0) ranks_.receive(0, std::as_writable_bytes(std::span(items)));
    std::ranges::copy(items, remembered_.last_epoch(ranges_[block]).begin());
  }
}

void BlockTrainer::read_remembered(const TensorReader& in, uint32_t block,
                                   std::vector<uint32_t>& items) const {
  const std::string name = fmt::format("remembered.{}", block);
  in.read(name, std::span(items));
  for (const uint32_t item : items)
    if (item != kNoItem && item >= training_.train.item_count)
      fail("{}: '{}' names item {}, but there are only {} items.", in.file_name(), name, item,
           training_.train.item_count);
}

}  // namespace divns
