// SPDX-License-Identifier: Apache-2.0
// The state of a training of a graph over user blocks between two epochs. As in
// block_checkpoint.cc, it names blocks, not ranks.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "blocks/graph_trainer.h"

namespace divns {

size_t GraphTrainer::remembered() const {
  for (const Block& block : blocks_)
    if (const size_t pairs = block.rows.view().pairs(); pairs > 0)
      return block.pass->sampler().remembered_items().size() / pairs;
  return 0;
}

// visit(table, whether it is one of users, name), in the same order on all ranks.
template <class Visit>
void GraphTrainer::for_saved_tables(Visit&& visit) {
  const auto visit_sides = [&](const std::vector<Table*>& users, const std::vector<Table*>& items,
                               const char* prefix) {
    for (size_t t = 0; t < users.size(); ++t) {
      visit(*users[t], true, fmt::format("{}users.{}", prefix, t));
      visit(*items[t], false, fmt::format("{}items.{}", prefix, t));
    }
  };
  visit_sides(optimizer_->state_of(kUsers), optimizer_->state_of(kItems), "");
  if (stopping_.seen()) visit_sides({&best_users_}, {&best_items_}, "best.");
}

std::span<float> GraphTrainer::rows_of_block(Table& table, uint32_t number) {
  const UserRange& users = ranges_[number];
  return {table.row(users.first - mine_.first), size_t{users.size()} * table.stride()};
}

void GraphTrainer::collect(TensorWriter* out) {
  const auto collect_block = [&](uint32_t number, auto values, size_t size,
                                 const std::string& name) {
    using Value = typename decltype(values)::value_type;
    if (is_mine(number)) {
      if (out != nullptr)
        out->add(name, std::span<const Value>(values));
      else
        ranks_.send(0, std::as_bytes(values));
    } else if (out != nullptr) {
      std::vector<Value> received(size);
      ranks_.receive(owner_of(number), std::as_writable_bytes(std::span(received)));
      out->add_copy(name, std::span<const Value>(received));
    }
  };
  for_saved_tables([&](Table& table, bool of_users, const std::string& name) {
    if (!of_users) {
      if (out != nullptr) out->add(name, std::span<const float>(table.data(), table.size()));
      return;
    }
    for (uint32_t number = 0; number < user_blocks(); ++number)
      collect_block(number, is_mine(number) ? rows_of_block(table, number) : std::span<float>(),
                    size_t{ranges_[number].size()} * table.stride(),
                    fmt::format("{}.{}", name, number));
  });
  const size_t each = remembered();
  auto next = blocks_.begin();
  for (uint32_t number = 0; each > 0 && number < user_blocks(); ++number) {
    std::span<uint32_t> items;
    if (is_mine(number)) items = (next++)->pass->sampler().remembered_items();
    collect_block(number, items, pairs_of(number) * each, fmt::format("remembered.{}", number));
  }
}

void GraphTrainer::distribute(const TensorReader* in, size_t /*each*/) {
  if (stopping_.seen()) keep_best();  // allocates the tables
  const auto distribute_block = [&](uint32_t number, auto values, size_t size, auto&& read) {
    using Value = typename decltype(values)::value_type;
    if (is_mine(number)) {
      if (in != nullptr)
        read(values);
      else
        ranks_.receive(0, std::as_writable_bytes(values));
    } else if (in != nullptr) {
      std::vector<Value> sent(size);
      read(std::span<Value>(sent));
      ranks_.send(owner_of(number), std::as_bytes(std::span(sent)));
    }
  };
  for_saved_tables([&](Table& table, bool of_users, const std::string& name) {
    if (!of_users) {
      const std::span<float> values(table.data(), table.size());
      if (in != nullptr) in->read(name, values);
      return ranks_.broadcast(0, std::as_writable_bytes(values));
    }
    for (uint32_t number = 0; number < user_blocks(); ++number)
      distribute_block(number, is_mine(number) ? rows_of_block(table, number) : std::span<float>(),
                       size_t{ranges_[number].size()} * table.stride(), [&](std::span<float> rows) {
                         in->read(fmt::format("{}.{}", name, number), rows);
                       });
  });
  const size_t each = remembered();
  auto next = blocks_.begin();
  for (uint32_t number = 0; each > 0 && number < user_blocks(); ++number) {
    std::span<uint32_t> items;
    if (is_mine(number)) items = (next++)->pass->sampler().remembered_items();
    distribute_block(number, items, pairs_of(number) * each,
                     [&](std::span<uint32_t> values) { read_remembered(*in, number, values); });
  }
  optimizer_->continue_at(steps_);
  model_->parameters_written();
}

}  // namespace divns
