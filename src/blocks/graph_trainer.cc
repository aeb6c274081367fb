// SPDX-License-Identifier: Apache-2.0
#include "blocks/graph_trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "train/block_shape.h"
#include "train/divergence.h"
#include "train/initialise.h"

namespace divns {
namespace {

TrainConfig config_of_block(const TrainConfig& config) {
  const auto blocks = static_cast<int>(parse_block_shape(config.blocks).users);
  TrainConfig part = config;
  part.batch_size = (config.batch_size + blocks - 1) / blocks;
  part.diagnostics_users = 0;
  return part;
}

}  // namespace

GraphTrainer::GraphTrainer(const BlockTraining& training)
    : RankedTrainer(training),
      block_config_(config_of_block(config_)),
      mine_(users_of_rank()),
      rows_(training.train, mine_),
      item_degrees_(item_counts(training.train)),
      user_sum_(mine_.size(), static_cast<uint32_t>(config_.embedding_dim), executor_),
      item_sum_(training.train.item_count, static_cast<uint32_t>(config_.embedding_dim), executor_),
      items_read_(training.train.item_count) {
  user_blocks_ = {
      .count = user_blocks(), .bounds = {}, .item_degrees = item_degrees_, .ranks = &ranks_};
  for (uint32_t number = 0; number < user_blocks(); ++number) {
    if (!is_mine(number)) continue;
    const uint32_t first = ranges_[number].first - mine_.first;
    user_blocks_.bounds.push_back(first);
    blocks_.push_back({.number = number,
                       .first = first,
                       .rows = UserRows(training.train, ranges_[number]),
                       .pass = nullptr,
                       .hop0 = {}});
  }
  user_blocks_.bounds.push_back(mine_.size());
  start_blocks();
  initialise_rows();
}

// Every block has a sampler and a loss of its own, all blocks one model.
void GraphTrainer::start_blocks() {
  for (Block& block : blocks_) {
    TrainerParts parts = training_.make_parts();
    DIVNS_ASSERT(!parts.sampler->reads_single_hops());
    if (!model_) {
      model_ = std::move(parts.model);
      model_->start({.train = rows_.view(),
                     .executor = executor_,
                     .dim = static_cast<uint32_t>(config_.embedding_dim),
                     .single_hops = false,
                     .blocks = &user_blocks_});
    }
    TrainConfig config = block_config_;
    config.seed = cell_seed(config_, block.number, 0);
    block.pass =
        std::make_unique<BatchPass>(config, parts, block.rows.view(), model_->hops(), executor_);
  }
  std::vector<uint64_t> pairs;
  for (const Block& block : blocks_) pairs.push_back(block.pass->pairs().rows());
  pairs_in_epoch_ = gather_values(ranks_, pairs);
}

void GraphTrainer::initialise_rows() {
  std::vector<uint32_t> numbers(mine_.size());
  std::iota(numbers.begin(), numbers.end(), mine_.first);
  initialise_part(model_->user_parameters(), numbers, training_.train.users(), config_,
                  "init.users", executor_);
  initialise(model_->item_parameters(), config_, "init.items", executor_);
  model_->parameters_written();
  optimizer_.emplace(config_.optimizer,
                     std::vector<Table*>{&model_->user_parameters(), &model_->item_parameters()},
                     executor_);
}

uint64_t GraphTrainer::rows_in_step(uint32_t block, size_t step) const {
  const auto size = static_cast<uint64_t>(block_config_.batch_size);
  const uint64_t pairs = pairs_in_epoch_[block];
  return step < block_config_.batches_over(pairs) ? std::min(size, pairs - step * size) : 0;
}

// The vectors of the model, with the users of a block alone.
EmbeddingView GraphTrainer::view_of(Block& block) const {
  EmbeddingView view = model_->view();
  const auto users_of_block = [&](const VectorTable& all) {
    return VectorTable{all.row(block.first), block.rows.view().users(), all.dim, all.stride};
  };
  view.users = users_of_block(view.users);
  block.hop0 = users_of_block(view.user_hops[0]);
  view.user_hops = {&block.hop0, 1};
  return view;
}

// The vectors that these blocks read in their batches.
void GraphTrainer::forward_for(std::span<Block* const> active) {
  if (user_blocks() == 1) {
    const RowsRead& rows = active[0]->pass->rows();
    return model_->forward(rows.selected_users(), rows.selected_items());
  }
  RowSelection users{.all = false, .rows = {}};
  RowSelection items{.all = false, .rows = {}};
  std::vector<uint32_t> keys;
  users_read_.clear();
  for (const Block* block : active) {
    const RowsRead& rows = block->pass->rows();
    users.all |= rows.selected_users().all;
    items.all |= rows.selected_items().all;
    for (const uint32_t user : rows.users().rows()) users_read_.push_back(block->first + user);
    keys.insert(keys.end(), rows.items().rows().begin(), rows.items().rows().end());
  }
  items_read_.group(keys);
  users.rows = users_read_;
  items.rows = items_read_.rows();
  model_->forward(users, items);
}

void GraphTrainer::run_step(size_t step, EpochReport& report) {
  std::vector<Block*> active;
  for (Block& block : blocks_)
    if (rows_in_step(block.number, step) > 0) active.push_back(&block);
  uint64_t rows = 0;
  for (uint32_t block = 0; block < user_blocks(); ++block) rows += rows_in_step(block, step);
  for (Block* block : active) block->pass->propose(step, optimizer_->steps(), report);
  Stopwatch watch;
  forward_for(active);
  report.seconds.propagation += watch.lap();

  user_sum_.clear();
  item_sum_.clear();
  for (Block* block : active) {
    const double share =
        static_cast<double>(rows_in_step(block->number, step)) / static_cast<double>(rows);
    EpochReport part;
    block->pass->score(view_of(*block), part);
    if (!std::isfinite(part.loss))
      fail_diverged(fmt::format("the loss of step {} of epoch {} is", step + 1, report.epoch),
                    config_);
    block->loss += share * part.loss;
    block->hardness += share * part.hardness;
    report.seconds += part.seconds;
    watch.lap();
    if (user_blocks() > 1) {
      user_sum_.add(block->pass->users(), block->first, static_cast<float>(share));
      item_sum_.add(block->pass->items(), 0, static_cast<float>(share));
    }
    report.seconds.gradient += watch.lap();
  }
  watch.lap();
  item_sum_.gather(ranks_);
  const bool alone = user_blocks() == 1;
  const RowGradients& by_users = alone ? active[0]->pass->users() : user_sum_.sum();
  const RowGradients& by_items = alone ? active[0]->pass->items() : item_sum_.sum();
  report.seconds.gradient += watch.lap();

  ParameterGradients users;
  ParameterGradients items;
  model_->backward(by_users, by_items, users, items);
  DIVNS_ASSERT(users.all && items.all);
  report.seconds.propagation += watch.lap();
  optimizer_->begin_step();
  optimizer_->step_all({{kItems, items.values, items.copy}, {kUsers, users.values, users.copy}});
  report.seconds.optimiser += watch.lap();
}

EpochReport GraphTrainer::epoch(const std::function<void(double)>& between_batches) {
  EpochReport report = new_report();
  for (uint32_t block = 0; block < user_blocks(); ++block)
    report.batches = std::max(report.batches, block_config_.batches_over(pairs_in_epoch_[block]));
  if (report.batches == 0)
    fail("there is nothing to train on: no block of blocks = {} has a batch of {} pairs.",
         config_.blocks, block_config_.batch_size);
  Stopwatch watch;
  if (blocks_[0].pass->sampler().reads_epoch_vectors()) model_->forward({}, {});
  for (Block& block : blocks_) {
    block.loss = block.hardness = 0;
    block.pass->begin_epoch(report.epoch, view_of(block));
  }
  optimizer_->begin_epoch(report.batches);
  report.seconds.sampling += watch.lap();
  for (size_t step = 0; step < report.batches; ++step) {
    run_step(step, report);
    if (between_batches)
      between_batches(static_cast<double>(step + 1) / static_cast<double>(report.batches));
  }
  add_reports(report);
  watch.lap();
  optimizer_->catch_up_all();
  require_finite_parameters(*model_, config_, report.epoch);
  report.seconds.optimiser += watch.lap();
  ++epochs_done_;
  steps_ = optimizer_->steps();
  validate(report);
  report.seconds.evaluation += watch.lap();
  return report;
}

// In the order of the blocks.
void GraphTrainer::add_reports(EpochReport& report) {
  std::vector<double> mine;
  for (const Block& block : blocks_) {
    mine.push_back(block.loss);
    mine.push_back(block.hardness);
  }
  const std::vector<double> all = gather_values(ranks_, mine);
  for (size_t block = 0; block < user_blocks(); ++block) {
    report.loss += all[2 * block];
    report.hardness += all[2 * block + 1];
  }
  report.hardness /= static_cast<double>(report.batches);
}

void GraphTrainer::validate(EpochReport& report) {
  if (training_.validate && config_.validates_after(report.epoch)) {
    model_->forward({}, {});
    std::vector<float> mine;
    for (Block& block : blocks_) {
      const EmbeddingView view = block.pass->scoring_view_of_all(view_of(block));
      const std::vector<float> values =
          training_.validate(ranges_[block.number], view.users, view.items);
      mine.insert(mine.end(), values.begin(), values.end());
    }
    add_validation(mine, report);
  }
  report.best_metric = stopping_.best();
  report.best_epoch = stopping_.best_epoch();
}

void GraphTrainer::keep_best() {
  best_users_ = model_->user_parameters();
  best_items_ = model_->item_parameters();
}

// Brings rows of every user to rank 0. rows_of(block) gives those of a block of this rank.
template <class RowsOf>
void GraphTrainer::gather_users(Table& out, RowsOf&& rows_of) {
  if (leads()) out = Table(training_.train.users(), static_cast<uint32_t>(config_.embedding_dim));
  auto next = blocks_.begin();
  for (uint32_t number = 0; number < user_blocks(); ++number) {
    const std::span<float> place(leads() ? out.row(ranges_[number].first) : nullptr,
                                 leads() ? size_t{ranges_[number].size()} * out.stride() : 0);
    if (!is_mine(number)) {
      if (leads()) ranks_.receive(owner_of(number), std::as_writable_bytes(place));
      continue;
    }
    const std::span<const float> rows = rows_of(*next++);
    if (leads())
      std::ranges::copy(rows, place.begin());
    else
      ranks_.send(0, std::as_bytes(rows));
  }
}

// The vectors and the parameters of all users on rank 0; it has those of the items anyway.
EpochTrainer::Vectors GraphTrainer::assemble() {
  if (stopping_.seen()) {
    // Copied, not moved: views of the parameters stay valid.
    std::copy_n(best_users_.data(), best_users_.size(), model_->user_parameters().data());
    std::copy_n(best_items_.data(), best_items_.size(), model_->item_parameters().data());
    model_->parameters_written();
  }
  model_->forward({}, {});
  Vectors vectors;
  gather_users(final_users_, [&](Block& block) {
    const EmbeddingView view = block.pass->scoring_view_of_all(view_of(block));
    vectors.items = view.items;
    return std::span<const float>(view.users.data, size_t{view.users.rows} * view.users.stride);
  });
  gather_users(final_parameters_, [&](Block& block) {
    return std::span<const float>(rows_of_block(model_->user_parameters(), block.number));
  });
  vectors.users = final_users_.view();
  return vectors;
}

EpochTrainer::Vectors GraphTrainer::parameters() {
  const Model& model = *model_;
  return {final_parameters_.view(), model.item_parameters().view()};
}

}  // namespace divns
