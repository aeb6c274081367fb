// SPDX-License-Identifier: Apache-2.0
#include "blocks/ranked_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/check.h"
#include "divns/random.h"
#include "train/block_shape.h"

namespace divns {
namespace {

std::vector<UserRange> checked_ranges(const BlockTraining& training) {
  const BlockShape shape = parse_block_shape(training.config.blocks);
  const auto require = [&](uint32_t blocks, uint32_t rows, const char* what) {
    if (blocks > rows)
      fail("blocks is {}, but the dataset has only {} {}: choose fewer blocks.",
           training.config.blocks, rows, what);
  };
  require(shape.users, training.train.users(), "users");
  require(shape.items, training.train.item_count, "items");
  const auto ranks = static_cast<uint32_t>(training.ranks.size());
  if (ranks > shape.users)
    fail(
        "there are {} ranks, but blocks is {}: each rank needs a user block of its own. Start at "
        "most {} ranks, or train with more user blocks, for example blocks = {}x{}.",
        ranks, training.config.blocks, shape.users, ranks,
        shape.items == 1 ? 1 : std::max(shape.items, ranks));
  return cut_users(training.train, shape.users);
}

}  // namespace

uint64_t cell_seed(const TrainConfig& config, uint32_t user_block, uint32_t part) {
  if (parse_block_shape(config.blocks).is_whole()) return config.seed;
  return Random(config.seed, "cells").draws(user_block, part).u64();
}

// What the ranks must agree on.
struct RankedTrainer::SharedState {
  uint64_t steps = 0;
  uint64_t remembered = 0;  // items per pair
  double best = 0;
  uint32_t epochs_done = 0;
  uint32_t seen_best = 0;
  uint32_t best_epoch = 0;
  uint32_t last_epoch = 0;
};

RankedTrainer::RankedTrainer(const BlockTraining& training)
    : training_(training),
      config_(training_.config),
      executor_(training.executor),
      ranks_(training.ranks),
      ranges_(checked_ranges(training)),
      schedule_(parse_block_shape(config_.blocks), ranks_.size()),
      stopping_(static_cast<uint32_t>(config_.patience_epochs)) {}

bool RankedTrainer::finished() const {
  return epochs_done_ >= static_cast<uint32_t>(config_.epochs) || stopping_.should_stop();
}

UserRange RankedTrainer::users_of_rank() const {
  return {ranges_[schedule_.first_user_block(ranks_.rank())].first,
          ranges_[schedule_.first_user_block(ranks_.rank() + 1) - 1].last};
}

// Rank 0 tells the others what comes next.
RankedTrainer::Command RankedTrainer::announce(Command command) {
  ranks_.broadcast(0, std::as_writable_bytes(std::span(&command, 1)));
  return command;
}

EpochReport RankedTrainer::run_epoch(const std::function<void(double)>& between_batches) {
  announce(Command::kEpoch);
  in_epoch_ = true;
  EpochReport report = counted_epoch(between_batches);
  in_epoch_ = false;
  return report;
}

EpochReport RankedTrainer::counted_epoch(const std::function<void(double)>& between_batches) {
  const uint64_t sent = ranks_.bytes_sent();
  const uint64_t moved = bytes_moved();
  EpochReport report = epoch(between_batches);
  const auto counts =
      gather_values<uint64_t>(ranks_, {ranks_.bytes_sent() - sent, bytes_moved() - moved});
  for (size_t i = 0; i < counts.size(); i += 2) {
    report.bytes_sent += counts[i];
    report.bytes_on_disk += counts[i + 1];
  }
  return report;
}

EpochTrainer::Vectors RankedTrainer::finish() {
  announce(Command::kFinish);
  return assemble();
}

void RankedTrainer::end() {
  announce(Command::kEnd);
}

void RankedTrainer::follow() {
  for (;;) switch (announce(Command::kEnd)) {
      case Command::kEpoch:
        counted_epoch({});
        break;
      case Command::kSave:
        collect(nullptr);
        break;
      case Command::kLoad:
        restore(nullptr);
        break;
      case Command::kFinish:
        assemble();
        break;
      case Command::kEnd:
        return;
    }
}

void RankedTrainer::save(TensorWriter& out) {
  announce(Command::kSave);
  const uint64_t counts[] = {steps_,
                             remembered(),
                             epochs_done_,
                             stopping_.seen() ? 1U : 0U,
                             stopping_.best_epoch(),
                             stopping_.last_epoch()};
  const double best = stopping_.best();
  out.set_prefix("blocks.");
  out.add_copy("counts", std::span<const uint64_t>(counts));
  out.add_copy("best", std::span<const double>(&best, 1));
  collect(&out);
  out.set_prefix("");
}

void RankedTrainer::load(const TensorReader& in) {
  announce(Command::kLoad);
  const TensorReader blocks = in.with_prefix("blocks.");
  restore(&blocks);
}

void RankedTrainer::restore(const TensorReader* in) {
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
  distribute(in, state.remembered);
}

void RankedTrainer::read_remembered(const TensorReader& in, uint32_t block,
                                    std::span<uint32_t> items) const {
  const std::string name = fmt::format("remembered.{}", block);
  in.read(name, items);
  for (const uint32_t item : items)
    if (item != kNoItem && item >= training_.train.item_count)
      fail("{}: '{}' names item {}, but there are only {} items.", in.file_name(), name, item,
           training_.train.item_count);
}

EpochReport RankedTrainer::new_report() const {
  EpochReport report;
  report.epoch = epochs_done_;
  report.metric_name = config_.valid_metric;
  return report;
}

void RankedTrainer::add_validation(const std::vector<float>& mine, EpochReport& report) {
  double sum = 0;
  const std::vector<float> values = gather_values<float>(ranks_, mine);
  for (const float value : values) sum += value;
  report.metric = values.empty() ? 0 : sum / static_cast<double>(values.size());
  report.improved = stopping_.observe(report.epoch, *report.metric);
  if (report.improved) keep_best();
}

}  // namespace divns
