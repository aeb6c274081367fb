// SPDX-License-Identifier: Apache-2.0
// The state of a training over blocks between two epochs. It names blocks, not ranks, so any number
// of ranks can continue it. Rank 0 alone reads and writes it.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "blocks/block_trainer.h"

namespace divns {

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

void BlockTrainer::distribute(const TensorReader* in, size_t each) {
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
  if (each == 0) return;
  remembered_.start(each);
  for (uint32_t block = 0; block < user_blocks(); ++block) {
    const int owner = schedule_.rank_of_user_block(block);
    std::vector<uint32_t> items;
    if (leads() || owner == ranks_.rank()) items.resize(pairs_of(block) * each);
    if (in != nullptr) read_remembered(*in, block, items);
    if (owner != 0 && leads()) ranks_.send(owner, std::as_bytes(std::span(items)));
    if (owner != ranks_.rank()) continue;
    if (owner != 0) ranks_.receive(0, std::as_writable_bytes(std::span(items)));
    std::ranges::copy(items, remembered_.last_epoch(ranges_[block]).begin());
  }
}

}  // namespace divns
