// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "blocks/block_store.h"
#include "blocks/cell.h"
#include "blocks/item_parts.h"
#include "blocks/remembered_items.h"
#include "blocks/schedule.h"
#include "blocks/traveling_items.h"
#include "distributed/communicator.h"
#include "divns/interactions.h"
#include "divns/parallel.h"
#include "train/config.h"
#include "train/early_stopping.h"
#include "train/epoch_trainer.h"
#include "train/setup.h"

namespace divns {

// The validation metric of each of these users who has validation items; `vectors` are theirs.
using ValidateUsers = std::function<std::vector<float>(
    const UserRange& users, const VectorTable& vectors, const VectorTable& items)>;

// What a training over blocks is made of. All of it outlives the trainer.
struct BlockTraining {
  TrainConfig config;
  std::function<TrainerParts()> make_parts;  // new ones at every call
  Interactions train;
  ValidateUsers validate;  // empty: no validation
  const Executor& executor;
  Communicator& ranks;
  std::filesystem::path scratch;  // folder for the blocks; empty: they stay in memory
};

// Trains over a grid of U x I cells (option `blocks`). A cell holds the pairs of one user block and
// one item part, and is trained by a Trainer of its own on the rows of both. An epoch walks the
// grid in the order of BlockSchedule and divides the items anew. The cells of a round count the
// same steps of the optimizer: those with fewer batches are followed by steps without gradients. So
// the result depends on the options and the data, and neither on the number of ranks that share the
// work nor on where blocks are kept between their cells.
//
// Rank 0 calls the functions of EpochTrainer, then end(); the other ranks call follow() only.
class BlockTrainer final : public EpochTrainer {
 public:
  explicit BlockTrainer(const BlockTraining& training);

  EpochReport run_epoch(const std::function<void(double)>& between_batches) override;
  uint32_t epochs_done() const override { return epochs_done_; }
  bool finished() const override;
  const EarlyStopping& early_stopping() const override { return stopping_; }
  Vectors finish() override;
  // Those of unit length where the training scores by cosine: their length does not matter.
  Vectors parameters() override { return {final_users_.view(0), final_items_.view(0)}; }
  void save(TensorWriter& out) override;
  void load(const TensorReader& in) override;
  // Whether an epoch was abandoned: the other ranks are still in it.
  bool in_epoch() const { return in_epoch_; }
  void end();

  void follow();

 private:
  enum class Command : uint32_t { kEpoch, kSave, kLoad, kFinish, kEnd };
  struct CellReport;
  // Steps of the optimizer in a round.
  struct Steps {
    uint64_t before = 0;
    uint64_t count = 0;
  };

  Command announce(Command command);
  bool leads() const { return ranks_.rank() == 0; }
  bool is_mine(uint32_t user_block) const {
    return schedule_.rank_of_user_block(user_block) == ranks_.rank();
  }
  uint32_t user_blocks() const { return static_cast<uint32_t>(ranges_.size()); }

  void initialise_blocks();
  void drop_blocks_of_others();
  EpochReport epoch(const std::function<void(double)>& between_batches);
  std::vector<uint64_t> batches_of_cells();
  CellReport run_cell(uint32_t user_block, uint32_t part, const Steps& steps, PhaseSeconds& seconds,
                      const std::function<void(double)>& between_batches);
  void read_ahead(const BlockSchedule::Visit& visit) const;
  void idle(BlockStore& store, uint32_t block, const Steps& steps);
  void add_reports(const std::vector<CellReport>& mine, EpochReport& report);

  // block_results.cc
  void validate(EpochReport& report);
  void keep_best();
  void allocate_best();
  Table all_items(BlockStore& store, const ItemParts& parts, int root);
  Vectors assemble();

  // block_checkpoint.cc
  struct SharedState;
  void collect(TensorWriter* out);
  void distribute(const TensorReader* in);
  void read_remembered(const TensorReader& in, uint32_t block, std::vector<uint32_t>& items) const;
  size_t pairs_of(uint32_t user_block) const {
    const std::span<const uint64_t> offsets = training_.train.offsets;
    return offsets[ranges_[user_block].last] - offsets[ranges_[user_block].first];
  }
  template <class Visit>
  void for_saved_blocks(Visit&& visit);

  BlockTraining training_;
  const TrainConfig& config_;
  const Executor& executor_;
  Communicator& ranks_;
  std::vector<UserRange> ranges_;  // of the user blocks
  BlockSchedule schedule_;
  ItemParts parts_;  // of the last epoch; before the first: of epoch 0
  BlockStore users_;
  TravelingItems items_;
  RememberedItems remembered_;
  uint64_t steps_ = 0;  // of the optimizer; every row is current
  uint32_t epochs_done_ = 0;
  bool in_epoch_ = false;
  EarlyStopping stopping_;
  BlockStore best_users_;
  BlockStore best_items_;
  // What finish() has returned.
  BlockStore final_users_;
  BlockStore final_items_;
};

}  // namespace divns
