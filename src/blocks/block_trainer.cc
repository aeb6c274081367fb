// SPDX-License-Identifier: Apache-2.0
#include "blocks/block_trainer.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "train/initialise.h"
#include "train/optimizer.h"
#include "train/trainer.h"

namespace divns {
namespace {

// Of the user blocks that a rank may have: rank 0 has all of them for a checkpoint.
std::vector<uint32_t> sizes_of(const std::vector<UserRange>& ranges, const BlockSchedule& schedule,
                               int rank) {
  std::vector<uint32_t> sizes;
  for (uint32_t block = 0; block < ranges.size(); ++block)
    sizes.push_back(rank == 0 || schedule.rank_of_user_block(block) == rank ? ranges[block].size()
                                                                            : 0);
  return sizes;
}

size_t tables_of(const TrainConfig& config) {
  return config.optimizer.kind == OptimizerKind::kSgd ? 1 : 3;
}

}  // namespace

// What is reported of a cell, the same on every rank.
struct BlockTrainer::CellReport {
  uint64_t number = 0;  // by user block, then part
  uint64_t batches = 0;
  double loss = 0;
  double hardness = 0;  // sum over the batches
};

BlockTrainer::BlockTrainer(const BlockTraining& training)
    : RankedTrainer(training),
      parts_(training.train.item_count, parse_block_shape(config_.blocks).items, config_.seed, 0),
      users_(sizes_of(ranges_, schedule_, ranks_.rank()),
             static_cast<uint32_t>(config_.embedding_dim), tables_of(config_), training.scratch),
      items_(schedule_, parts_, static_cast<uint32_t>(config_.embedding_dim), tables_of(config_),
             ranks_, training.scratch),
      remembered_(training.train, users_of_rank(), training.scratch) {
  initialise_blocks();
}

void BlockTrainer::initialise_blocks() {
  const auto fill = [&](BlockStore& store, uint32_t block, std::span<const uint32_t> numbers,
                        uint32_t rows, const char* purpose) {
    RowState state = store.fresh(block);
    initialise_part(state.parameters, numbers, rows, config_, purpose, executor_);
    store.put(block, std::move(state));
  };
  std::vector<uint32_t> numbers;
  for (uint32_t block = 0; block < user_blocks(); ++block) {
    if (!is_mine(block)) continue;
    numbers.resize(ranges_[block].size());
    std::iota(numbers.begin(), numbers.end(), ranges_[block].first);
    fill(users_, block, numbers, training_.train.users(), "init.users");
  }
  for (uint32_t part = 0; part < parts_.parts(); ++part)
    if (items_.is_home(part))
      fill(items_.store(), part, parts_.items_of(part), training_.train.item_count, "init.items");
}

// Of every cell, user block by user block; every rank counts those of its own users.
std::vector<uint64_t> BlockTrainer::batches_of_cells() {
  std::vector<uint64_t> mine;
  for (uint32_t block = 0; block < user_blocks(); ++block) {
    if (!is_mine(block)) continue;
    for (const uint64_t pairs : usable_pairs(training_.train, ranges_[block], parts_, executor_))
      mine.push_back(config_.batches_over(pairs));
  }
  return gather_values<uint64_t>(ranks_, mine);
}

EpochReport BlockTrainer::epoch(const std::function<void(double)>& between_batches) {
  drop_blocks_of_others();
  EpochReport report = new_report();
  Stopwatch watch;
  if (epochs_done_ > 0) {
    ItemParts now(training_.train.item_count, parts_.parts(), config_.seed, epochs_done_);
    items_.divide_anew(parts_, now);
    parts_ = std::move(now);
  }
  const std::vector<uint64_t> batches = batches_of_cells();
  const auto batches_of = [&](uint32_t block, uint32_t part) {
    return schedule_.exists(part) ? batches[size_t{block} * parts_.parts() + part] : 0;
  };
  if (std::ranges::all_of(batches, [](uint64_t count) { return count == 0; }))
    fail("there is nothing to train on: no cell of blocks = {} has a batch of {} pairs.",
         config_.blocks, config_.batch_size);
  uint64_t mine = 0;
  for (uint32_t block = 0; block < user_blocks(); ++block)
    for (uint32_t part = 0; is_mine(block) && part < parts_.parts(); ++part)
      mine += batches_of(block, part);
  // The cells of a round take as many steps as the largest of them.
  std::vector<Steps> rounds(schedule_.rounds());
  for (uint32_t round = 0; round < rounds.size(); ++round) {
    rounds[round].before = steps_;
    for (uint32_t block = 0; block < user_blocks(); ++block)
      rounds[round].count =
          std::max(rounds[round].count, batches_of(block, schedule_.part_met(block, round)));
    steps_ += rounds[round].count;
  }
  report.seconds.sampling += watch.lap();

  std::vector<CellReport> cells;
  uint64_t done = 0;
  const auto visit = [&](uint32_t position, uint32_t round) {
    const uint32_t block = schedule_.user_block_at(position);
    const uint32_t part = schedule_.part_at(position, round);
    const uint64_t count = block < user_blocks() ? batches_of(block, part) : 0;
    if (count == 0) {
      if (block < user_blocks()) idle(users_, block, rounds[round]);
      if (schedule_.exists(part)) idle(items_.store(), part, rounds[round]);
      return;
    }
    cells.push_back(run_cell(block, part, rounds[round], report.seconds, [&](double share) {
      if (between_batches)
        between_batches((static_cast<double>(done) + share * static_cast<double>(count)) /
                        static_cast<double>(mine));
    }));
    done += count;
  };
  if (ranks_.size() == 1) {
    const auto visits = schedule_.visits_of_one_process();
    for (size_t i = 0; i < visits.size(); ++i) {
      if (i + 1 < visits.size()) read_ahead(visits[i + 1]);
      visit(visits[i].position, visits[i].round);
    }
  } else {
    for (uint32_t round = 0; round < schedule_.rounds(); ++round) {
      for (uint32_t position = schedule_.first_position(ranks_.rank());
           position < schedule_.first_position(ranks_.rank() + 1); ++position)
        visit(position, round);
      watch.lap();
      items_.move_on(round);
      report.seconds.propagation += watch.lap();
    }
  }
  remembered_.end_epoch();
  add_reports(cells, report);
  ++epochs_done_;
  watch.lap();
  validate(report);
  report.seconds.evaluation += watch.lap();
  return report;
}

BlockTrainer::CellReport BlockTrainer::run_cell(
    uint32_t user_block, uint32_t part, const Steps& steps, PhaseSeconds& seconds,
    const std::function<void(double)>& between_batches) {
  const UserRange& users = ranges_[user_block];
  Stopwatch watch;
  const TrainingCell cell(training_.train, users, parts_, part, executor_);
  TrainingState state{
      .users = users_.take(user_block),
      .items = items_.store().take(part),
      .steps = steps.before,
      .epochs = epochs_done_,
      .remembered = remembered_.recall(users, cell.view(), parts_, part, executor_)};
  TrainConfig config = config_;
  config.seed = cell_seed(config_, user_block, part);
  config.diagnostics_users = 0;
  TrainerParts parts = training_.make_parts();
  parts.state = &state;
  Trainer trainer(config, std::move(parts), cell.view(), {}, executor_);
  const double started = watch.lap();
  const EpochReport done = trainer.run_epoch(between_batches);
  watch.lap();
  state = trainer.release(steps.before + steps.count);
  remembered_.remember(users, cell.view(), parts_, part, state.remembered, executor_);
  users_.put(user_block, std::move(state.users));
  items_.store().put(part, std::move(state.items));
  seconds += done.seconds;
  seconds.sampling += started;
  seconds.optimiser += watch.lap();
  return {uint64_t{user_block} * parts_.parts() + part, done.batches, done.loss,
          done.hardness * static_cast<double>(done.batches)};
}

void BlockTrainer::read_ahead(const BlockSchedule::Visit& visit) const {
  const uint32_t block = schedule_.user_block_at(visit.position);
  const uint32_t part = schedule_.part_at(visit.position, visit.round);
  if (block < user_blocks()) users_.read_ahead(block);
  if (schedule_.exists(part)) items_.store().read_ahead(part);
}

// A block that has no cell in a round counts its steps all the same.
void BlockTrainer::idle(BlockStore& store, uint32_t block, const Steps& steps) {
  if (config_.optimizer.kind != OptimizerKind::kAdam || steps.count == 0) return;
  TrainingState state{.users = store.take(block), .steps = steps.before, .remembered = {}};
  Table parameters = std::move(state.users.parameters);
  Optimizer optimizer(config_.optimizer, {&parameters}, executor_, &state);
  optimizer.idle(steps.count);
  optimizer.release(0, state.users);
  store.put(block, std::move(state.users));
}

// Sums over the cells in the order of their numbers, whichever rank ran them when.
void BlockTrainer::add_reports(const std::vector<CellReport>& mine, EpochReport& report) {
  auto cells = gather_values<CellReport>(ranks_, mine);
  std::ranges::sort(cells, {}, &CellReport::number);
  for (const CellReport& cell : cells) {
    report.batches += cell.batches;
    report.loss += cell.loss;
    report.hardness += cell.hardness;
  }
  report.hardness /= static_cast<double>(report.batches);
}

}  // namespace divns
