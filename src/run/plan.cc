// SPDX-License-Identifier: Apache-2.0
#include "divns/plan.h"

#include <algorithm>

#include "base/check.h"
#include "blocks/cell.h"
#include "run/resolved_setup.h"
#include "train/block_shape.h"
#include "train/trainer.h"

namespace divns {
namespace {

// A file of the dataset of at most this size is held in memory, a larger one is mapped.
constexpr uint64_t kHeldFile = uint64_t{1} << 30;

// The sizes that the estimates are made of.
struct Sizes {
  uint64_t users, items, pairs;
  uint64_t user_blocks, item_blocks, ranks;
  uint64_t row;         // bytes of a row of a table
  uint64_t tables;      // parameters and moments
  uint64_t remembered;  // bytes that the sampler remembers per pair
  uint64_t negatives;
  bool validates;
  uint64_t layers;        // of a graph model; 0: matrix factorisation
  uint64_t batch;         // pairs
  uint64_t items_of_row;  // that a row of a batch has gradients for, at most

  uint64_t users_of_block() const { return users / user_blocks + 1; }
  uint64_t items_of_part() const { return items / item_blocks + 1; }
  // Of a rank: whole user blocks.
  uint64_t users_of_rank() const { return users_of_block() * blocks_of_rank(); }
  uint64_t items_of_rank() const { return items / ranks + 1; }
  uint64_t pairs_of_rank() const { return pairs / user_blocks * blocks_of_rank() + 1; }
  uint64_t blocks_of_rank() const { return (user_blocks + ranks - 1) / ranks; }
};

// While a cell is trained, without its rows: filters of owned items, groupings and step numbers
// per row; the order of the pairs, the read plan and the lists of the sampler per pair.
uint64_t cell_memory(const Sizes& n) {
  constexpr uint64_t kPerUser = 64 + 8 + 8 + 4 * 4;
  constexpr uint64_t kPerItem = 8 + 4 * 4;
  constexpr uint64_t kPerPair = 4 + 4 + 8 + 8 + 4 + 4 + 1;
  const uint64_t pairs = n.pairs / (n.user_blocks * n.item_blocks) + 1;
  return n.users_of_block() * kPerUser + n.items_of_part() * kPerItem +
         pairs * (kPerPair + 16 * n.negatives + 2 * n.remembered);
}

// What does not depend on where blocks are: the dataset, the places of items, and the item table
// that the validation needs, with its packed copy.
uint64_t fixed_memory(const Sizes& n) {
  const auto held = [](uint64_t bytes) { return bytes <= kHeldFile ? bytes : 0; };
  return held(8 * n.users) + held(4 * n.pairs) + 2 * 12 * n.items +
         (n.validates ? 2 * n.items * n.row + 8 * n.users : n.items * n.row);
}

// Every rank has a graph model's tables of all items; the passes of its user blocks exist at the
// same time. Per edge: its column and two weights, and its user in the other direction.
uint64_t memory_of_graph(const Sizes& n) {
  const uint64_t rows = n.users_of_rank() + n.items;
  const uint64_t hops = std::max(n.layers - 1, std::min<uint64_t>(n.layers, 2)) + 1;
  const uint64_t best = n.validates ? rows * n.row : 0;
  const uint64_t gradients =
      2 * n.row * std::min(n.batch, n.pairs) * (1 + n.items_of_row) * (n.user_blocks > 1 ? 3 : 1);
  const uint64_t vectors_of_all = n.user_blocks > 1 ? n.users * n.row : 0;  // in the end
  return fixed_memory(n) + rows * n.row * (n.tables + hops) + best + gradients + vectors_of_all +
         n.pairs_of_rank() * 12 + n.items * 8 * n.blocks_of_rank() + n.users_of_rank() * 8 +
         n.blocks_of_rank() * cell_memory(n);
}

uint64_t memory_in_memory(const Sizes& n) {
  if (n.layers > 0) return memory_of_graph(n);
  const uint64_t rows = n.users_of_rank() + 2 * n.items_of_rank();
  const uint64_t best = n.validates ? (n.users_of_rank() + n.items_of_rank()) * n.row : 0;
  const uint64_t vectors_of_all = n.users * n.row;  // in the end, on rank 0
  return fixed_memory(n) + rows * n.row * n.tables + best + 2 * n.pairs_of_rank() * n.remembered +
         std::max(cell_memory(n), vectors_of_all);
}

// A graph model stays in memory.
uint64_t memory_on_disk(const Sizes& n) {
  if (n.layers > 0) return memory_of_graph(n);
  return fixed_memory(n) + (n.users_of_block() + n.items_of_part()) * n.row * n.tables +
         cell_memory(n);
}

uint64_t scratch_bytes(const Sizes& n) {
  const uint64_t rows = n.users + 2 * n.items;
  const uint64_t best = n.validates ? (n.users + n.items) * n.row : 0;
  return rows * n.row * n.tables + best + 2 * n.pairs_of_rank() * n.remembered + n.users * n.row;
}

// One process reads every user block twice (BlockSchedule::visits_of_one_process), a rank with
// several user blocks once per round; every item part is read once per user block and for the new
// division. All is written back. What the sampler remembers is read for every cell of its user
// block, and written and cleared once.
uint64_t disk_traffic(const Sizes& n) {
  const uint64_t rounds = std::max(n.user_blocks, n.item_blocks);
  const uint64_t reads = n.user_blocks == 1         ? 1
                         : n.ranks == 1             ? std::min<uint64_t>(2, rounds)
                         : n.user_blocks == n.ranks ? 1
                                                    : rounds;
  const uint64_t rows = n.users * reads + n.items * n.user_blocks + 2 * n.items;
  return 2 * rows * n.row * n.tables / n.ranks +
         (n.item_blocks + 2) * n.pairs_of_rank() * n.remembered;
}

// A product to items passes the item rows from rank to rank and then to all of them. A step has one
// per layer, forward and backward, and spreads the gradients of the batch by items, pooled and of
// hop 0; what the sampler reads in the beginning of an epoch and a validation have one forward.
uint64_t wire_bytes_of_graph(const Sizes& n, int eval_every, bool reads_epoch_vectors) {
  const uint64_t steps = n.pairs / n.batch + 1;
  const uint64_t propagation = 2 * n.layers * (n.ranks - 1) * n.items * n.row;
  const uint64_t gradients = (n.ranks - 1) * n.batch * n.items_of_row * 2 * n.row;
  return steps * (2 * propagation + gradients) + (reads_epoch_vectors ? propagation : 0) +
         (n.validates ? propagation / static_cast<uint64_t>(eval_every) : 0);
}

// The ring carries the item rows over every boundary between ranks, and the new division moves all
// of them except those that stay; a validation sends every rank the parameters.
uint64_t wire_bytes(const Sizes& n, int eval_every, bool reads_epoch_vectors) {
  if (n.ranks == 1) return 0;
  if (n.layers > 0) return wire_bytes_of_graph(n, eval_every, reads_epoch_vectors);
  const uint64_t ring = n.ranks * n.items * n.row * n.tables;
  const uint64_t division = n.items * n.row * n.tables * (n.ranks - 1) / n.ranks;
  const uint64_t validation =
      n.validates ? (n.ranks - 1) * n.items * n.row / static_cast<uint64_t>(eval_every) : 0;
  return ring + division + validation;
}

// One epoch over at most this many pairs of the first users, after one that fills caches.
double measure_rate(const Dataset& data, const TrainingSetup& setup, const BlockShape& shape,
                    const Executor& executor) {
  constexpr uint64_t kSample = 100000;
  const Interactions& train = data.train();
  const auto at = std::ranges::upper_bound(train.offsets, kSample * shape.items);
  const auto last = static_cast<uint32_t>(
      std::clamp<ptrdiff_t>(at - train.offsets.begin() - 1, 1, train.users()));
  TrainConfig config = setup.config();
  config.diagnostics_users = 0;
  const ItemParts parts(train.item_count, shape.items, config.seed, 0);
  const TrainingCell cell(train, {0, last}, parts, 0, executor);
  if (config.batches_over(cell.view().pairs()) == 0) return 0;
  Trainer trainer(config, setup.make_parts(), cell.view(), {}, executor);
  trainer.run_epoch();
  const Stopwatch watch;
  trainer.run_epoch();
  return static_cast<double>(cell.view().pairs()) / watch.seconds();
}

uint64_t layers_of(const ResolvedSetup& resolved) {
  if (resolved.setup.config().model != "lightgcn") return 0;
  return std::stoull(resolved.options.find("lightgcn.layers")->value());
}

uint64_t remembered_bytes(const ResolvedSetup& resolved) {
  const TrainConfig& config = resolved.setup.config();
  if (config.sampler != "divns") return 0;
  return 4 * static_cast<uint64_t>(config.negatives) *
         static_cast<uint64_t>(std::stoi(resolved.options.find("divns.cache_ratio")->value()));
}

std::string in_units(uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

}  // namespace

TrainingPlan plan_training(const Dataset& data, const TrainOptions& options, int ranks,
                           bool measure) {
  const ResolvedSetup resolved(options.all_settings());
  const TrainConfig& config = resolved.setup.config();
  if (resolved.setup.is_fitted())
    fail("there is no plan for the model '{}', which is fitted in one piece.", config.model);
  const BlockShape shape = parse_block_shape(config.blocks);
  const Sizes sizes{.users = data.users(),
                    .items = data.items(),
                    .pairs = data.train().pairs(),
                    .user_blocks = shape.users,
                    .item_blocks = shape.items,
                    .ranks = static_cast<uint64_t>(ranks),
                    .row = 4 * padded(static_cast<uint32_t>(config.embedding_dim)),
                    .tables = config.optimizer.kind == OptimizerKind::kSgd ? 1U : 3U,
                    .remembered = remembered_bytes(resolved),
                    .negatives = static_cast<uint64_t>(config.negatives),
                    .validates = data.valid().pairs() > 0,
                    .layers = layers_of(resolved),
                    .batch = static_cast<uint64_t>(config.batch_size),
                    .items_of_row = 1 + static_cast<uint64_t>(config.negatives) *
                                            (config.sampler == "divns" ? 2U : 1U)};
  TrainingPlan plan{.users = sizes.users,
                    .items = sizes.items,
                    .pairs = sizes.pairs,
                    .user_blocks = shape.users,
                    .item_blocks = shape.items,
                    .ranks = ranks,
                    .memory_limit = options.memory_limit,
                    .memory = memory_in_memory(sizes),
                    .memory_on_disk = memory_on_disk(sizes),
                    .wire_per_epoch = wire_bytes(sizes, config.eval_every, sizes.remembered > 0)};
  if (options.memory_limit > 0) {
    plan.on_disk = plan.memory > options.memory_limit && sizes.layers == 0;
    plan.fits = std::min(plan.memory, plan.memory_on_disk) <= options.memory_limit;
  }
  if (plan.on_disk) {
    plan.scratch = scratch_bytes(sizes);
    plan.disk_per_epoch = disk_traffic(sizes);
  }
  // A step of a graph model takes the time of the whole graph, which no sample shows.
  if (measure && sizes.layers == 0) {
    const Executor executor(options.threads);
    plan.pairs_per_second = measure_rate(data, resolved.setup, shape, executor);
    if (plan.pairs_per_second > 0)
      plan.seconds_per_epoch = static_cast<double>(sizes.pairs_of_rank()) / plan.pairs_per_second;
  }
  return plan;
}

std::string plan_text(const TrainingPlan& plan) {
  std::string text =
      fmt::format("{} users, {} items, {} training pairs\n", plan.users, plan.items, plan.pairs);
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("{:<22}{}\n", name, value);
  };
  line("blocks", fmt::format("{} of users x {} of items, {} rank{}", plan.user_blocks,
                             plan.item_blocks, plan.ranks, plan.ranks == 1 ? "" : "s"));
  line("memory per rank", in_units(plan.memory) + " with all blocks in memory");
  if (plan.memory_on_disk < plan.memory)
    line("", in_units(plan.memory_on_disk) + " with blocks on disk");
  if (plan.memory_limit > 0)
    line("memory limit",
         in_units(plan.memory_limit) + (!plan.fits     ? ": too small; use more blocks"
                                        : plan.on_disk ? ": blocks are kept on disk"
                                                       : ": blocks stay in memory"));
  if (plan.on_disk) {
    line("scratch space", in_units(plan.scratch));
    line("disk traffic", in_units(plan.disk_per_epoch) + " per epoch and rank");
  }
  line("sent between ranks", in_units(plan.wire_per_epoch) + " per epoch");
  if (plan.pairs_per_second > 0)
    line("computation", fmt::format("{:.3g} s per epoch, at {:.3g} pairs per second and rank, "
                                    "measured now",
                                    plan.seconds_per_epoch, plan.pairs_per_second));
  return text;
}

}  // namespace divns
